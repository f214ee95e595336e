package dev.sluice.ledger;

import dev.sluice.cluster.PodId;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementOrigin.CreationStyle;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.ledger.placement.PlacementReservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the decisions whose pods the watch has not shown yet, by stamp. A stamp is an annotation that a decision adds
 * to its pod, so that the pod is recognized when the watch shows it. It is valid for one pod only, and only in the
 * namespace for which it was created.
 *
 * <p>Every user who may create pods can cause decisions whose pods never appear. Therefore the memory for decisions is
 * limited, in total and for each namespace. If the total is exceeded, the newest decisions of the namespace that uses
 * the most memory are dropped.
 */
final class LedgerAssumedPods {

    /**
     * The longest time that the API server works on a CREATE request: its request timeout is 60 s, and a write gets 34
     * s of that. A pod that is not stored after this time is never stored.
     */
    public static final Duration LONGEST_CREATE = Duration.ofSeconds(34);

    /**
     * The time after the newest answer within which the watch usually shows the pod. After that, the decision is
     * overdue, and its reservation is among the first to be released for other pods. Of this time, 2 s are for a slow
     * webhook that is called after Sluice, 2 s for a second call of that webhook, and the rest for a busy API server.
     */
    static final Duration USUAL_CREATE = Duration.ofSeconds(5);

    /**
     * The maximum number of controllers whose batches of pods are remembered. If there are more, the controller that
     * has created no pods for the longest time is forgotten.
     */
    private static final int MOST_OWNERS = 4_096;

    /** The minimum time between two searches for refused pods, and also between two searches for overdue decisions. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    /** The memory limit for all decisions, in bytes. It is an eighth of the heap of 192 MiB. */
    static final long MOST_BYTES = 24L << 20;

    /**
     * The memory limit for the decisions of one namespace, in bytes. It is a quarter of the total, so that three
     * namespaces at their limits leave a quarter for all other namespaces.
     */
    static final long MOST_BYTES_OF_ONE = MOST_BYTES / 4;

    /**
     * The estimated memory of a decision without the texts of its pod, in bytes. It includes the reservation, queue
     * entries, the stamp and the stored answer. For pods with texts of ordinary length, 1.2 KiB in total were measured.
     */
    static final long BYTES_OF_EACH = 1_280;

    /**
     * The maximum number of decisions that fit into {@link #MOST_BYTES}. With pod texts of ordinary length, about
     * 12,000 fit. If none of their pods appears, each decision stays for 34 s, so there may be 350 decisions a second.
     * An API server works on only 600 requests at a time.
     */
    static final int MOST = (int) (MOST_BYTES / BYTES_OF_EACH);

    /**
     * The maximum number of characters in the requests and constraints of one pod. This is enough for constraints that
     * name more than a thousand nodes.
     */
    private static final long MOST_LETTERS = 64 * 1024;

    /**
     * The number of bytes that one character may take. Java stores texts with characters outside Latin-1 in two bytes
     * each.
     */
    private static final long BYTES_OF_LETTER = 2;

    /**
     * The maximum number of successive stamps of one review. A review gets a new stamp when it is decided again. This
     * happens only after another replica has taken over the Lease.
     */
    private static final int MOST_SUCCESSORS = 4;

    /** Identifies a pod or a controller together with its namespace. */
    private record InNamespace<T>(String namespace, T what) {}

    /** The decisions of one namespace, oldest first. */
    private static final class Tenant {
        private final LinkedHashMap<String, LedgerAssumedPod> byStamp = new LinkedHashMap<>();
        private long bytes;
    }

    /** All decisions by stamp (an identifier), oldest first. */
    private final Map<String, LedgerAssumedPod> byStamp = new LinkedHashMap<>();

    private final Map<String, Tenant> tenants = new HashMap<>();
    private final Duration longestCreate;
    /** The newest decision about each named pod. Pods whose names the API server generates are not included. */
    private final Map<InNamespace<String>, LedgerAssumedPod> byName = new HashMap<>();
    /** The batches of each controller. The controller that has created no pods for the longest time comes first. */
    private final SequencedMap<InNamespace<PodId>, LedgerAssumedBatches> batches =
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

    private final Set<LedgerAssumedBatches> unsettled = new LinkedHashSet<>();
    private final LedgerSeenStamps seen;
    /** The number of decisions in {@link #byStamp} that other replicas have made. */
    private int followed;

    private Instant nextLook = Instant.MIN;
    private Instant nextOverdueLook = Instant.MIN;
    private long bytes;

    LedgerAssumedPods(Duration longestCreate) {
        this.longestCreate = longestCreate;
        this.seen = new LedgerSeenStamps(longestCreate);
    }

    public int size() {
        return byStamp.size();
    }

    public long bytes() {
        return bytes;
    }

    /** Returns the number of decisions in all namespaces except this one. */
    public int sizeOfOthers(String namespace) {
        Tenant own = tenants.get(namespace);
        return byStamp.size() - (own == null ? 0 : own.byStamp.size());
    }

    private static long letters(PlacementRequest decided) {
        return decided.need().weight()
                + decided.constraints().weight()
                + decided.namespace().length()
                + decided.origin().name().length()
                + decided.stamp().length();
    }

    private static long weight(PlacementRequest decided) {
        return BYTES_OF_EACH + BYTES_OF_LETTER * letters(decided);
    }

    /**
     * Returns the memory limit that this decision would exceed even if {@link #evictFor} removed other decisions.
     * Returns empty if the decision can be kept.
     */
    public Optional<LedgerNotReservedReason> blockedBy(PlacementRequest decided) {
        if (letters(decided) > MOST_LETTERS) {
            return Optional.of(LedgerNotReservedReason.bySize(MOST_LETTERS));
        }
        Tenant own = tenants.get(decided.namespace());
        long more = weight(decided);
        if (own != null && own.bytes + more > MOST_BYTES_OF_ONE) {
            return Optional.of(LedgerNotReservedReason.ofNamespace(decided.namespace(), own.byStamp.size(), own.bytes));
        }
        boolean full = bytes + more > MOST_BYTES;
        return full && own != null && own.bytes + more > largest().bytes
                ? Optional.of(LedgerNotReservedReason.inAll(decided.namespace(), byStamp.size(), bytes))
                : Optional.empty();
    }

    private Tenant largest() {
        return tenants.values().stream()
                .max(Comparator.comparingLong(tenant -> tenant.bytes))
                .orElseGet(Tenant::new);
    }

    /**
     * Removes the newest decisions of the namespaces that use the most memory, until the new decision {@code decided}
     * fits into {@link #MOST_BYTES}.
     *
     * @return the reservations of the removed decisions
     */
    public List<PlacementReservation> evictFor(PlacementRequest decided) {
        List<PlacementReservation> evicted = new ArrayList<>();
        long more = weight(decided);
        while (bytes + more > MOST_BYTES) {
            LedgerAssumedPod newest = largest().byStamp.lastEntry().getValue();
            remove(newest);
            inBatches(newest, own -> own.withdraw(newest));
            evicted.add(newest.reservation());
        }
        return evicted;
    }

    public void assume(PlacementRequest decided, PlacementReservation reservation, Instant now) {
        LedgerAssumedPod pod = new LedgerAssumedPod(
                decided.stamp(), decided.namespace(), decided.origin(), reservation, now, weight(decided));
        add(pod);
        addToBatches(pod);
    }

    /** Adds a decision that another replica has made. */
    void follow(PlacementRequest decided, PlacementReservation reservation, Instant now) {
        assume(decided, reservation, now);
        LedgerAssumedPod pod = byStamp.get(decided.stamp());
        if (pod != null) {
            pod.follow();
            followed++;
        }
    }

    boolean hasFollowed() {
        return followed > 0;
    }

    /**
     * Returns true if another replica has made the decision of this reservation, and the watch has not shown the pod.
     */
    boolean isFollowed(PlacementReservation reservation) {
        LedgerAssumedPod pod = reservation.owner() instanceof PlacementReservation.ExpectedPod expected
                ? byStamp.get(expected.stamp())
                : null;
        return pod != null && pod.isFollowed();
    }

    /**
     * Adds a removed decision again, as if it had been made {@code now}. It no longer helps to find refused pods,
     * because it is not added to the batches of its controller.
     */
    void keep(LedgerAssumedPod removed, Instant now) {
        LedgerAssumedPod pod = new LedgerAssumedPod(
                removed.stamp(), removed.namespace(), removed.origin(), removed.reservation(), now, removed.bytes());
        add(pod);
        if (removed.isLapsed()) {
            pod.lapse();
        }
        if (removed.isFollowed()) {
            pod.follow();
            followed++;
        }
    }

    /**
     * Returns true if all decisions take more than twice {@link #MOST_BYTES}. This can happen only if several replicas
     * make decisions.
     */
    boolean isBeyondLimit() {
        return bytes > 2 * MOST_BYTES;
    }

    /**
     * Records that the review with this decision was answered again. Returns false if there is no such decision, or if
     * its reservation or its promise of capacity was released.
     */
    boolean answerAgain(String stamp, String namespace, Instant now) {
        LedgerAssumedPod pod = get(stamp, namespace);
        if (pod == null || !pod.isAsAnswered()) {
            return false;
        }
        pod.answerAgain(now);
        return true;
    }

    /** Returns the reservation of the decision with this stamp (identifier). Returns empty if nothing is reserved. */
    Optional<PlacementReservation> reserved(String stamp) {
        return Optional.ofNullable(byStamp.get(stamp))
                .filter(pod -> !pod.isLapsed())
                .map(LedgerAssumedPod::reservation);
    }

    private void add(LedgerAssumedPod pod) {
        byStamp.put(pod.stamp(), pod);
        if (pod.origin().isNamed()) {
            byName.put(nameOf(pod), pod);
        }
        Tenant tenant = tenants.computeIfAbsent(pod.namespace(), _ -> new Tenant());
        tenant.byStamp.put(pod.stamp(), pod);
        tenant.bytes += pod.bytes();
        bytes += pod.bytes();
    }

    private static InNamespace<String> nameOf(LedgerAssumedPod pod) {
        return new InNamespace<>(pod.namespace(), pod.origin().name());
    }

    private void addToBatches(LedgerAssumedPod pod) {
        PodId owner = pod.origin().owner();
        if (owner == null || pod.origin().style() != CreationStyle.IN_BATCHES) {
            return;
        }
        LedgerAssumedBatches own =
                batches.computeIfAbsent(new InNamespace<>(pod.namespace(), owner), _ -> new LedgerAssumedBatches());
        own.add(pod);
        pod.createdIn(own);
        settle(own);
        if (batches.size() > MOST_OWNERS) {
            unsettled.remove(batches.pollFirstEntry().getValue());
        }
    }

    /**
     * Records a denied pod in the batches of the pod's controller. Does nothing if no batches of this controller are
     * remembered.
     */
    void denied(String namespace, PlacementOrigin origin, Instant now) {
        PodId owner = origin.owner();
        LedgerAssumedBatches own = owner == null || origin.style() != CreationStyle.IN_BATCHES
                ? null
                : batches.get(new InNamespace<>(namespace, owner));
        if (own != null) {
            own.addDenied(now);
            settle(own);
        }
    }

    private void settle(LedgerAssumedBatches own) {
        if (own.isUnsettled()) {
            unsettled.add(own);
        } else {
            unsettled.remove(own);
        }
    }

    /**
     * Returns the previous decision for the pod with this name; null if there is none, or if nothing is reserved for
     * it.
     */
    @Nullable
    LedgerAssumedPod named(String namespace, String name) {
        LedgerAssumedPod older = byName.get(new InNamespace<>(namespace, name));
        return older == null || older.isLapsed() ? null : older;
    }

    /**
     * Finds the decisions whose pods were refused, and removes them from their {@link LedgerAssumedBatches}.
     *
     * @return the decisions that were found
     */
    List<LedgerAssumedPod> takeEnded(Instant now) {
        if (unsettled.isEmpty() || now.isBefore(nextLook)) {
            return List.of();
        }
        nextLook = now.plus(BETWEEN_LOOKS);
        List<LedgerAssumedPod> ended = new ArrayList<>();
        for (LedgerAssumedBatches own : List.copyOf(unsettled)) {
            ended.addAll(own.takeEnded(now));
            settle(own);
        }
        return ended;
    }

    /**
     * Returns false if there are certainly no {@link #overdue} decisions. This check is cheaper than {@link #overdue}.
     */
    boolean mayBeOverdue(Instant now) {
        return !byStamp.isEmpty() && byStamp.values().iterator().next().mayBeOverdue(now);
    }

    /** Returns the decisions whose pods the watch should have shown before {@code now}, oldest first. */
    List<LedgerAssumedPod> overdue(Instant now) {
        return byStamp.values().stream()
                .takeWhile(pod -> pod.mayBeOverdue(now))
                .filter(pod -> pod.isOverdue(now) && !pod.isLapsed())
                .toList();
    }

    /**
     * Returns the reservations of overdue decisions whose pods need the preemption of other pods. The caller revokes
     * their promises of capacity. {@link LedgerOverdueDecisions} ignores these reservations: their release frees no
     * capacity, because the other pods still use it.
     */
    List<PlacementReservation> overduePreemptors(Instant now) {
        if (!mayBeOverdue(now) || now.isBefore(nextOverdueLook)) {
            return List.of();
        }
        nextOverdueLook = now.plus(BETWEEN_LOOKS);
        return overdue(now).stream()
                .map(LedgerAssumedPod::reservation)
                .filter(PlacementReservation::isPreemptor)
                .toList();
    }

    private void remove(LedgerAssumedPod pod) {
        byStamp.remove(pod.stamp());
        byName.remove(nameOf(pod), pod);
        followed -= pod.isFollowed() ? 1 : 0;
        bytes -= pod.bytes();
        tenants.computeIfPresent(pod.namespace(), (_, tenant) -> {
            tenant.byStamp.remove(pod.stamp());
            tenant.bytes -= pod.bytes();
            return tenant.byStamp.isEmpty() ? null : tenant;
        });
    }

    /** Calls {@code action} with each reservation. Lapsed decisions, whose pods were refused, have no reservation. */
    public void forEach(Consumer<PlacementReservation> action) {
        byStamp.values().stream().filter(pod -> !pod.isLapsed()).forEach(pod -> action.accept(pod.reservation()));
    }

    @Nullable
    public LedgerAssumedPod get(String stamp, String namespace) {
        LedgerAssumedPod found = byStamp.get(stamp);
        return found == null || !found.namespace().equals(namespace) ? null : found;
    }

    @Nullable
    public LedgerAssumedPod forget(String stamp) {
        LedgerAssumedPod pod = byStamp.get(stamp);
        if (pod != null) {
            remove(pod);
            inBatches(pod, own -> own.withdraw(pod));
        }
        return pod;
    }

    /**
     * Removes the decision about a pod that the watch has shown, and remembers its stamp (the identifier of the
     * decision). Returns null if there is no such decision.
     */
    @Nullable
    LedgerAssumedPod confirm(String stamp, String namespace) {
        String next = stamp;
        for (int i = 0; i < MOST_SUCCESSORS && next != null; i++) {
            seen.add(next);
            LedgerAssumedPod pod = get(next, namespace);
            if (pod != null) {
                remove(pod);
                inBatches(pod, own -> own.seen(pod));
                return pod;
            }
            next = seen.successor(next);
        }
        return null;
    }

    /**
     * Records that the review with this stamp (identifier) was decided again, and that the new decision has the stamp
     * {@code by}.
     */
    void replaced(String stamp, String by) {
        seen.replaced(stamp, by);
    }

    /** Returns true if the watch has recently shown a pod with this stamp. */
    boolean wasSeen(String stamp) {
        return seen.contains(stamp);
    }

    private void inBatches(LedgerAssumedPod pod, Consumer<LedgerAssumedBatches> change) {
        LedgerAssumedBatches own = pod.batches();
        if (own != null) {
            change.accept(own);
            if (!own.isUnsettled()) {
                unsettled.remove(own);
            }
        }
    }

    /**
     * Removes the decisions whose pods can no longer appear, because the watch has shown every pod that was stored
     * before {@code syncedUpTo}.
     *
     * @return the reservations of the removed decisions
     */
    public List<PlacementReservation> expire(Instant syncedUpTo) {
        seen.advance(syncedUpTo);
        List<LedgerAssumedPod> expired = byStamp.values().stream()
                .takeWhile(pod -> !pod.assumedAt().plus(longestCreate).isAfter(syncedUpTo))
                .toList();
        expired.forEach(pod -> {
            remove(pod);
            inBatches(pod, own -> own.withdraw(pod));
        });
        return expired.stream().map(LedgerAssumedPod::reservation).toList();
    }
}
