package dev.sluice.management;

import dev.sluice.api.ApiAnswer;
import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.Fleet;
import dev.sluice.log.StackTraceLimit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers with the GPU nodes and what of their devices is taken, as a whole and as changes for the event stream. A
 * worker thread makes the answers, one after the other. The text of a version is made once. Only one event loop may use
 * it.
 */
final class FleetApi {

    private static final Logger LOG = LoggerFactory.getLogger(FleetApi.class);
    private static final StackTraceLimit STACKS = new StackTraceLimit();

    /** The parameter with the keys of the labels that are shown. */
    static final String LABELS = "labels";

    /** The maximum number of labels that can be shown. */
    private static final int MOST_LABELS = 4;

    /**
     * The maximum number of different sets of labels that are kept, with the one without labels, which is always kept.
     * A set takes 100 bytes for each node.
     */
    static final int MOST_SETS = 4;

    /**
     * How long a set is kept that nobody asks for. The streams of open pages ask every 10 s or more often. If such a
     * set were dropped, its pages would load the whole again, and in that way drop the sets of each other.
     */
    static final Duration KEPT = Duration.ofSeconds(30);

    static final String WRONG_LABELS =
            LABELS + " must have at most " + MOST_LABELS + " keys of labels, separated by commas";

    /** A key of a label: a name of at most 63 characters, and before it the name of a domain and a slash. */
    private static final Pattern KEY =
            Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    /**
     * What a client is sent.
     *
     * @param version the newest version
     * @param whole the whole fleet, if it was asked for
     * @param events for each older version that was asked about, the event that leads to the newest one
     */
    record FleetReply(String version, Optional<ApiAnswer> whole, Map<String, String> events) {}

    /** A fleet and its newest text. Only one task of a worker thread uses it at a time. */
    private static final class ShownFleet {

        private final Fleet fleet;
        private FleetReply whole = new FleetReply("", Optional.empty(), Map.of());

        ShownFleet(Fleet fleet) {
            this.fleet = fleet;
        }

        FleetReply whole() {
            if (!whole.version.equals(fleet.version())) {
                whole = new FleetReply(fleet.version(), Optional.of(ApiAnswer.fleet(fleet.document())), Map.of());
            }
            return whole;
        }

        FleetReply since(Set<String> versions) {
            Map<String, String> events = new HashMap<>();
            for (String from : versions) {
                fleet.eventSince(from).ifPresent(event -> events.put(from, event));
            }
            return new FleetReply(fleet.version(), Optional.empty(), events);
        }
    }

    /** Other pages show so many other sets of labels that there is no place for one more. */
    static final class TooManySets extends Exception {

        private static final long serialVersionUID = 1;

        TooManySets() {
            super(
                    "other pages show other labels; ask again later",
                    null,
                    /* enableSuppression= */ false,
                    /* writableStackTrace= */ false);
        }
    }

    /** The sets of labels for which something is kept. Only one event loop may use them. */
    static final class KeptSets<T> {

        private static final class KeptSet<T> {

            private final T value;
            private Instant asked = Instant.MIN;

            KeptSet(T value) {
                this.value = value;
            }
        }

        private final Map<List<String>, KeptSet<T>> sets = new HashMap<>();

        /** Returns what is kept for these labels, or {@code created} if there is nothing yet but a place for it. */
        T get(List<String> labels, Instant now, Supplier<T> created) throws TooManySets {
            if (!sets.containsKey(labels)) {
                sets.entrySet()
                        .removeIf(set -> !set.getKey().isEmpty()
                                && set.getValue().asked.plus(KEPT).isBefore(now));
                // One place is for the set without labels.
                long others =
                        sets.keySet().stream().filter(key -> !key.isEmpty()).count();
                if (!labels.isEmpty() && others >= MOST_SETS - 1) {
                    throw new TooManySets();
                }
                sets.put(labels, new KeptSet<>(created.get()));
            }
            KeptSet<T> set = Objects.requireNonNull(sets.get(labels));
            set.asked = now;
            return set.value;
        }
    }

    private final Vertx vertx;
    private final CapacityApi capacity;
    private final InstantSource clock;
    private final String epoch;
    private final KeptSets<ShownFleet> fleets = new KeptSets<>();
    private int created;
    /** All fleets have one queue, so that a fleet is never used by two threads at the same time. */
    private final SharedAnswers<FleetReply> queue = new SharedAnswers<>(1, TenantQuestions.MOST_OF_ALL);

    /**
     * Creates the API.
     *
     * @param epoch the text that identifies this process
     */
    FleetApi(Vertx vertx, CapacityApi capacity, InstantSource clock, String epoch) {
        this.vertx = vertx;
        this.capacity = capacity;
        this.clock = clock;
        this.epoch = epoch;
    }

    /**
     * Returns the keys in a parameter, sorted. Returns empty if they are not keys of labels, or if they are too many.
     */
    static Optional<List<String>> labels(@Nullable String parameter) {
        if (parameter == null || parameter.isEmpty()) {
            return Optional.of(List.of());
        }
        List<String> keys =
                List.of(parameter.split(",", -1)).stream().distinct().sorted().toList();
        return keys.size() <= MOST_LABELS
                        && keys.stream().allMatch(key -> KEY.matcher(key).matches())
                ? Optional.of(keys)
                : Optional.empty();
    }

    /** Returns the whole fleet. The future fails if it cannot be shown. */
    Future<FleetReply> whole(List<String> labels) {
        return advance(new WholeFleet(labels), labels, ShownFleet::whole);
    }

    /** Returns the events that lead from these versions to the newest one. The future fails if it cannot be shown. */
    Future<FleetReply> since(List<String> labels, Set<String> versions) {
        return advance(new NewsOf(labels, versions), labels, fleet -> fleet.since(versions));
    }

    /** The keys of questions. Clients that ask the same at the same time share an answer. */
    private record WholeFleet(List<String> labels) {}

    private record NewsOf(List<String> labels, Set<String> versions) {}

    private Future<FleetReply> advance(Object question, List<String> labels, Function<ShownFleet, FleetReply> reader) {
        return queue.ask(
                vertx,
                question,
                () -> capacity.usage().compose(usage -> {
                    Instant now = clock.instant();
                    ShownFleet shown;
                    try {
                        shown = fleets.get(
                                labels, now, () -> new ShownFleet(new Fleet(epoch + "." + created++, labels)));
                    } catch (TooManySets full) {
                        return Future.failedFuture(full);
                    }
                    ClusterUse taken = capacity.use(usage);
                    return vertx.executeBlocking(
                                    () -> {
                                        shown.fleet.advance(usage.cluster(), taken, now);
                                        return reader.apply(shown);
                                    },
                                    /* ordered= */ false)
                            .map(made -> Objects.requireNonNull(made));
                }));
    }

    /** Returns true if a question has failed because of the labels that it names. */
    static boolean concernsLabels(Throwable cause) {
        return cause instanceof Fleet.TooManyKinds || cause instanceof TooManySets;
    }

    /** Returns the answer to a client whose question has failed. A failure that nobody expects is logged. */
    static ApiAnswer refusal(Throwable cause) {
        return switch (cause) {
            case Fleet.TooManyKinds many -> ApiAnswer.problem(400, "Bad Request", String.valueOf(many.getMessage()));
            case TooManySets full ->
                ApiAnswer.problem(503, "Service Unavailable", String.valueOf(full.getMessage()))
                        .retryAfter((int) KEPT.toSeconds());
            case SharedAnswers.TooManyQuestions _ ->
                RateLimitedApi.tooMany("too many other questions wait for their answers; ask again in a second");
            case ReplyException late
            when late.failureType() != ReplyFailure.RECIPIENT_FAILURE ->
                ApiAnswer.problem(503, "Service Unavailable", "the owner of the ledger has not answered in time");
            default -> {
                STACKS.add(LOG.atError(), cause).log("the fleet could not be shown");
                yield ApiAnswer.problem(
                        500, "Internal Server Error", "the answer could not be made; the gateway's log says why");
            }
        };
    }
}
