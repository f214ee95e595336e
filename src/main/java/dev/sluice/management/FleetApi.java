package dev.sluice.management;

import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.DocumentResponse;
import dev.sluice.api.FleetDocuments;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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

/**
 * Provides the fleet, which is the list of GPU nodes with the numbers of their devices that are in use. A request gets
 * the whole fleet, and the event stream gets the changes. A worker thread creates one answer after the other. The text
 * of each version is created once. Only one event loop may use it.
 */
final class FleetApi {

    /** The query parameter with the keys of the node labels that the answer contains. */
    static final String LABELS = "labels";

    /** The maximum number of label keys in one request. */
    private static final int MOST_LABELS = 4;

    /**
     * The maximum number of sets of labels for which a list of GPU nodes is kept. The empty set is one of them, and its
     * list is always kept. A list takes 100 bytes for each node.
     */
    static final int MOST_SETS = 4;

    /**
     * The time for which the list for a set of labels is kept after its last use. The event stream of an open page uses
     * its list at least every 10 s. Without the list, the page would have to load all GPU nodes again.
     */
    static final Duration KEPT = Duration.ofSeconds(30);

    static final String WRONG_LABELS =
            LABELS + " must have at most " + MOST_LABELS + " keys of labels, separated by commas";

    /**
     * Matches the key of a label: a name of at most 63 characters, which may have a prefix of a domain name and a
     * slash.
     */
    private static final Pattern KEY =
            Pattern.compile("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    /**
     * The answer to a request for the list of GPU nodes, or for its changes since older versions.
     *
     * @param version the newest version
     * @param whole the whole list; empty if only changes were requested
     * @param events for each older version that was requested, the event that updates a client from it to the newest
     *     version
     */
    record FleetReply(String version, Optional<DocumentResponse> whole, Map<String, String> events) {}

    /**
     * The GPU nodes for one set of labels, with the text of their newest version. Tasks of worker threads use it one at
     * a time.
     */
    private static final class ShownFleet {

        private final FleetDocuments fleet;
        private FleetReply whole = new FleetReply("", Optional.empty(), Map.of());

        ShownFleet(FleetDocuments fleet) {
            this.fleet = fleet;
        }

        FleetReply whole() {
            if (!whole.version.equals(fleet.version())) {
                whole = new FleetReply(
                        fleet.version(), Optional.of(DocumentResponse.fleet(fleet.document())), Map.of());
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

    /** Thrown if other clients already use the maximum number of different sets of labels. */
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

    /** The lists of GPU nodes that are kept, by the labels that they contain. Only one event loop may use it. */
    static final class KeptSets<T> {

        private static final class KeptSet<T> {

            private final T value;
            private Instant asked = Instant.MIN;

            KeptSet(T value) {
                this.value = value;
            }
        }

        private final Map<List<String>, KeptSet<T>> sets = new HashMap<>();

        /**
         * Returns the list that is kept for these labels. If there is none, keeps and returns {@code created}. Throws
         * {@link TooManySets} if the maximum number of lists is reached.
         */
        T get(List<String> labels, Instant now, Supplier<T> created) throws TooManySets {
            if (!sets.containsKey(labels)) {
                sets.entrySet()
                        .removeIf(set -> !set.getKey().isEmpty()
                                && set.getValue().asked.plus(KEPT).isBefore(now));
                // The list without labels is not counted, because it is always kept. Only the lists with labels are
                // limited.
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
    /** All lists share one queue, so that two threads never use the same list at the same time. */
    private final ManagementSharedAnswers<FleetReply> queue =
            new ManagementSharedAnswers<>(1, TenantRequestLimit.MOST_OF_ALL);

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
     * Returns the keys in a parameter, sorted. Returns empty if a text is not a key of a label, or if there are too
     * many keys.
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

    /** Returns the whole list of GPU nodes. The future fails if it cannot be shown with these labels. */
    Future<FleetReply> whole(List<String> labels) {
        return advance(new WholeFleet(labels), labels, ShownFleet::whole);
    }

    /**
     * Returns the events that update clients from these versions of the list of GPU nodes to the newest one. The future
     * fails if the list cannot be shown with these labels.
     */
    Future<FleetReply> since(List<String> labels, Set<String> versions) {
        return advance(new NewsOf(labels, versions), labels, fleet -> fleet.since(versions));
    }

    /**
     * The key of requests for the whole list of GPU nodes. Clients that send equal requests at the same time share an
     * answer.
     */
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
                                labels, now, () -> new ShownFleet(new FleetDocuments(epoch + "." + created++, labels)));
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

    /** Returns true if a request has failed because of its labels. */
    static boolean concernsLabels(Throwable cause) {
        return cause instanceof FleetDocuments.TooManyKinds || cause instanceof TooManySets;
    }
}
