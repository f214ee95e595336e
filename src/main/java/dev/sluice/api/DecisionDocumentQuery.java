package dev.sluice.api;

import dev.sluice.admission.request.Policy.Enforcement;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The decoded parameters of {@code /api/v1/decisions}. */
record DecisionDocumentQuery(Predicate<DecisionRecord> filter, int limit) {

    private static final List<String> PARAMETERS =
            List.of("namespace", "name", "uid", "verdict", "reason", "enforcement", "from", "to", "since", "limit");

    /** The number of decisions that are returned if the query has no limit. They fill a few screens. */
    private static final int USUAL_LIMIT = 100;

    /**
     * Thrown if a parameter of the query is invalid. The message names the parameter, its value and the expected value.
     */
    static final class BadParameter extends Exception {

        private static final long serialVersionUID = 1;

        BadParameter(String sentence) {
            super(sentence, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }

        String sentence() {
            return String.valueOf(getMessage());
        }
    }

    /** Decodes the parameters. If {@code since} is an age, it is subtracted from {@code now}. */
    static DecisionDocumentQuery of(Map<String, String> parameters, Instant now) throws BadParameter {
        Optional<String> unknown = DocumentResponse.unknownParameter(parameters.keySet(), PARAMETERS);
        if (unknown.isPresent()) {
            throw new BadParameter(unknown.get());
        }
        DecisionRecordFilter filter = new DecisionRecordFilter(
                Optional.ofNullable(parameters.get("namespace")),
                Optional.ofNullable(parameters.get("name")),
                word(parameters, "verdict", RecordedDecisionKind.values(), RecordedDecisionKind::word),
                word(parameters, "reason", Reason.values(), Reason::word),
                enforcement(parameters),
                since(parameters.get("since"), now));
        String uid = parameters.get("uid");
        Predicate<DecisionRecord> exchanged =
                exchanged(Optional.ofNullable(parameters.get("from")), Optional.ofNullable(parameters.get("to")));
        return new DecisionDocumentQuery(
                filter.and(exchanged).and(uid == null ? _ -> true : about(uid)), limit(parameters.get("limit")));
    }

    /**
     * Returns a filter for the decisions that replaced the resource {@code from} by the resource {@code to}. An empty
     * value stands for any resource.
     */
    private static Predicate<DecisionRecord> exchanged(Optional<String> from, Optional<String> to) {
        return from.isEmpty() && to.isEmpty()
                ? _ -> true
                : decision -> decision.moves().stream()
                        .anyMatch(move -> from.map(move.asked().value()::equals).orElse(true)
                                && to.map(move.given().value()::equals).orElse(true));
    }

    /** Returns a filter for the decisions about the review with this uid. */
    static Predicate<DecisionRecord> about(String uid) {
        return decision -> decision.pod().head().uid().equals(uid);
    }

    static Optional<Enforcement> enforcement(Map<String, String> parameters) throws BadParameter {
        return word(parameters, "enforcement", Enforcement.values(), Enforcement::word);
    }

    private static <E> Optional<E> word(
            Map<String, String> parameters, String name, E[] known, Function<E, String> wordOf) throws BadParameter {
        String wanted = parameters.get(name);
        if (wanted == null) {
            return Optional.empty();
        }
        for (E one : known) {
            if (wordOf.apply(one).equals(wanted)) {
                return Optional.of(one);
            }
        }
        throw new BadParameter(name + " is " + DocumentResponse.quoted(wanted) + ", expected one of "
                + Arrays.stream(known).map(wordOf).collect(Collectors.joining(", ")));
    }

    static long since(@Nullable String text, Instant now) throws BadParameter {
        if (text == null) {
            return Long.MIN_VALUE;
        }
        try {
            return (text.endsWith("Z") ? Instant.parse(text) : now.minus(age(text))).toEpochMilli();
        } catch (DateTimeException | ArithmeticException _) {
            throw new BadParameter("since is " + DocumentResponse.quoted(text)
                    + ", expected a time such as 2026-01-31T12:00:00Z or an age such as 90s, 15m, 2h or 7d");
        }
    }

    private static Duration age(String text) {
        Duration age = Duration.parse((text.endsWith("d") ? "P" : "PT") + text);
        if (age.isNegative()) {
            throw new DateTimeException("an age is not negative");
        }
        return age;
    }

    private static int limit(@Nullable String text) throws BadParameter {
        if (text == null) {
            return USUAL_LIMIT;
        }
        if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= RecentDecisionRecords.MOST) {
            return Integer.parseInt(text);
        }
        throw new BadParameter(
                "limit is " + DocumentResponse.quoted(text) + ", expected 1.." + RecentDecisionRecords.MOST);
    }
}
