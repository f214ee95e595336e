package dev.sluice.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.api.FlowDocument.FlowExchange;
import dev.sluice.api.FlowDocument.FlowOutcome;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.RecordedReviewHead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Counts decisions by the resources that they replaced and by their results. It is not thread-safe. */
final class FlowDocumentCounts {

    private record Counted(long count, Instant last, String lastUid) {

        private Counted plus(Counted other) {
            return new Counted(
                    count + other.count,
                    last.isBefore(other.last) ? other.last : last,
                    last.isBefore(other.last) ? other.lastUid : lastUid);
        }
    }

    private record ExchangeKey(ResourceName from, ResourceName to) {}

    private record OutcomeKey(RecordedDecisionKind decision, Reason reason, Policy.Enforcement enforcement) {}

    private final Optional<String> namespace;
    private final Map<ExchangeKey, Counted> exchanges = new HashMap<>();
    private final Map<OutcomeKey, Counted> outcomes = new HashMap<>();
    private long decisions;

    /** @param namespace the only namespace whose decisions are counted; empty to count all */
    FlowDocumentCounts(Optional<String> namespace) {
        this.namespace = namespace;
    }

    /** Counts a decision of this replica. A dry run is not counted, because it creates no pod. */
    void add(DecisionRecord decision) {
        RecordedReviewHead head = decision.pod().head();
        if (head.dryRun() || !isCounted(head.namespace())) {
            return;
        }
        count(
                new Counted(1, Instant.ofEpochMilli(decision.epochMillis()), head.uid()),
                new OutcomeKey(
                        decision.kind(), decision.reason(), decision.basis().enforcement()),
                decision.moves().stream().map(move -> new ExchangeKey(move.asked(), move.given())));
    }

    /**
     * Counts a decision of another replica. A dry run is not counted, because it creates no pod. A decision of a newer
     * release is not counted if this release does not know its result.
     */
    void add(DecisionDocumentJson written) {
        JsonNode decision;
        try {
            decision = ApiJson.tree(written.json().getBytes(StandardCharsets.UTF_8));
        } catch (IOException impossible) {
            throw new IllegalStateException("a decision that was read before cannot be read", impossible);
        }
        if (decision.path("dryRun").asBoolean() || !isCounted(text(decision, "namespace"))) {
            return;
        }
        outcome(decision)
                .ifPresent(outcome -> count(
                        new Counted(1, written.time(), text(decision, "uid")),
                        outcome,
                        decision.path("changes")
                                .valueStream()
                                .map(change -> new ExchangeKey(
                                        new ResourceName(text(change, "from")),
                                        new ResourceName(text(change, "to"))))));
    }

    private boolean isCounted(String of) {
        return namespace.isEmpty() || namespace.get().equals(of);
    }

    private void count(Counted one, OutcomeKey outcome, Stream<ExchangeKey> exchanged) {
        decisions++;
        outcomes.merge(outcome, one, Counted::plus);
        exchanged.distinct().forEach(each -> exchanges.merge(each, one, Counted::plus));
    }

    private static String text(JsonNode object, String member) {
        return object.path(member).asText();
    }

    private static Optional<OutcomeKey> outcome(JsonNode decision) {
        Optional<RecordedDecisionKind> kind =
                word(RecordedDecisionKind.values(), RecordedDecisionKind::word, text(decision, "decision"));
        Optional<Reason> reason = word(Reason.values(), Reason::word, text(decision, "reason"));
        Optional<Policy.Enforcement> enforcement =
                word(Policy.Enforcement.values(), Policy.Enforcement::word, text(decision, "enforcement"));
        return kind.isEmpty() || reason.isEmpty() || enforcement.isEmpty()
                ? Optional.empty()
                : Optional.of(new OutcomeKey(kind.get(), reason.get(), enforcement.get()));
    }

    private static <E> Optional<E> word(E[] known, Function<E, String> wordOf, String word) {
        return Stream.of(known).filter(each -> wordOf.apply(each).equals(word)).findFirst();
    }

    FlowDocument document(Instant since, boolean truncated, List<String> missing) {
        return new FlowDocument(
                since,
                truncated,
                missing,
                decisions,
                sorted(exchanges, (key, counted) -> new FlowExchange(key.from, key.to, counted.count, counted.lastUid)),
                sorted(
                        outcomes,
                        (key, counted) -> new FlowOutcome(
                                key.decision, key.reason, key.enforcement, counted.count, counted.lastUid)));
    }

    /** Returns the entries with the largest count first. */
    private static <K, T> List<T> sorted(Map<K, Counted> counts, BiFunction<K, Counted, T> entry) {
        List<Map.Entry<K, Counted>> ordered = new ArrayList<>(counts.entrySet());
        ordered.sort(Comparator.<Map.Entry<K, Counted>>comparingLong(each -> -each.getValue().count)
                .thenComparing(each -> each.getKey().toString()));
        return ordered.stream()
                .map(each -> entry.apply(each.getKey(), each.getValue()))
                .toList();
    }
}
