package dev.sluice.ledger;

import dev.sluice.cluster.PodId;
import dev.sluice.ledger.placement.AssumeRequest;
import dev.sluice.ledger.placement.PodOrigin.CreationStyle;
import dev.sluice.ledger.placement.Reservation;
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
 * Decisions whose pods were not seen yet, by stamp. A stamp is valid once, and only in the namespace for which it was
 * made.
 *
 * <p>Everybody who may create pods can cause decisions whose pods never appear, so their size is bounded, in all and
 * for each namespace. When all together are too large, the namespace with most of them loses its newest.
 */
final class AssumedPods {

    /**
     * A CREATE lives at most 34 s in the API server (of its request timeout of 60 s a write gets 34 s), so that after
     * this the pod is stored or never will be.
     */
    public static final Duration LONGEST_CREATE = Duration.ofSeconds(34);

    /**
     * A pod that was not seen after this gives way first. A webhook behind this one that takes 2 s is slow; as much
     * again is for one that is reinvoked, and the rest for a busy API server.
     */
    static final Duration USUAL_CREATE = Duration.ofSeconds(5);

    /** Of more controllers that create pods in batches, the batches of those that were quiet longest are forgotten. */
    private static final int MOST_OWNERS = 4_096;

    /** How often batches are looked at, at most. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    /** An eighth of the heap of 192 MiB. */
    static final long MOST_BYTES = 24L << 20;

    /** A quarter of them, so that even three namespaces leave some to others. */
    static final long MOST_BYTES_OF_ONE = MOST_BYTES / 4;

    /**
     * What each decision takes beside the texts of its pod: reservation, queues, stamp and the answer that is kept;
     * with the texts of a usual pod 1.2 KiB were measured.
     */
    static final long BYTES_OF_EACH = 1_280;

    /**
     * There cannot be more. With the texts of usual pods there is room for some 12,000, or 350 a second for 34 s of
     * which none appears. An API server works on 600 requests at a time, and stored pods are seen within milliseconds.
     */
    static final int MOST = (int) (MOST_BYTES / BYTES_OF_EACH);

    /** The requests and constraints of one pod; they can name more than a thousand nodes in so many. */
    private static final long MOST_LETTERS = 64 * 1024;

    /** Letters that are not Latin take two bytes. */
    private static final long BYTES_OF_LETTER = 2;

    /** A pod of a namespace, or a controller in it. */
    private record InNamespace<T>(String namespace, T what) {}

    /** The decisions of one namespace, the oldest first. */
    private static final class Tenant {
        private final LinkedHashMap<String, AssumedPod> byStamp = new LinkedHashMap<>();
        private long bytes;
    }

    /** The oldest is first. */
    private final Map<String, AssumedPod> byStamp = new LinkedHashMap<>();

    private final Map<String, Tenant> tenants = new HashMap<>();
    private final Duration longestCreate;
    /** The decision for each pod with a name that was asked about last. */
    private final Map<InNamespace<String>, AssumedPod> byName = new HashMap<>();
    /** The one that was quiet longest is first. */
    private final SequencedMap<InNamespace<PodId>, CreationBatches> batches =
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

    private final Set<CreationBatches> unsettled = new LinkedHashSet<>();
    private Instant nextLook = Instant.MIN;
    private long bytes;

    AssumedPods(Duration longestCreate) {
        this.longestCreate = longestCreate;
    }

    public int size() {
        return byStamp.size();
    }

    public long bytes() {
        return bytes;
    }

    /** How many belong to other namespaces. */
    public int sizeOfOthers(String namespace) {
        Tenant own = tenants.get(namespace);
        return byStamp.size() - (own == null ? 0 : own.byStamp.size());
    }

    private static long letters(AssumeRequest decided) {
        return decided.need().weight()
                + decided.constraints().weight()
                + decided.namespace().length()
                + decided.origin().name().length()
                + decided.stamp().length();
    }

    private static long weight(AssumeRequest decided) {
        return BYTES_OF_EACH + BYTES_OF_LETTER * letters(decided);
    }

    /** Why this decision cannot be kept; empty if it can, after {@link #evictFor}. */
    public Optional<NotReserved> blockedBy(AssumeRequest decided) {
        if (letters(decided) > MOST_LETTERS) {
            return Optional.of(NotReserved.bySize(MOST_LETTERS));
        }
        Tenant own = tenants.get(decided.namespace());
        long more = weight(decided);
        if (own != null && own.bytes + more > MOST_BYTES_OF_ONE) {
            return Optional.of(NotReserved.ofNamespace(decided.namespace(), own.byStamp.size(), own.bytes));
        }
        boolean full = bytes + more > MOST_BYTES;
        return full && own != null && own.bytes + more > largest().bytes
                ? Optional.of(NotReserved.inAll(decided.namespace(), byStamp.size(), bytes))
                : Optional.empty();
    }

    private Tenant largest() {
        return tenants.values().stream()
                .max(Comparator.comparingLong(tenant -> tenant.bytes))
                .orElseGet(Tenant::new);
    }

    /** Removes the newest decisions of the largest namespaces until there is room for this pod. */
    public List<Reservation> evictFor(AssumeRequest decided) {
        List<Reservation> evicted = new ArrayList<>();
        long more = weight(decided);
        while (bytes + more > MOST_BYTES) {
            AssumedPod newest = largest().byStamp.lastEntry().getValue();
            remove(newest);
            inBatches(newest, own -> own.withdraw(newest));
            evicted.add(newest.reservation());
        }
        return evicted;
    }

    public void assume(AssumeRequest decided, Reservation reservation, Instant now) {
        AssumedPod pod = new AssumedPod(
                decided.stamp(), decided.namespace(), decided.origin(), reservation, now, weight(decided));
        byStamp.put(pod.stamp(), pod);
        if (pod.origin().isNamed()) {
            byName.put(nameOf(pod), pod);
        }
        addToBatches(pod);
        Tenant tenant = tenants.computeIfAbsent(pod.namespace(), _ -> new Tenant());
        tenant.byStamp.put(pod.stamp(), pod);
        tenant.bytes += pod.bytes();
        bytes += pod.bytes();
    }

    private static InNamespace<String> nameOf(AssumedPod pod) {
        return new InNamespace<>(pod.namespace(), pod.origin().name());
    }

    /** The webhook was invoked again for this pod. */
    void askedAgain(AssumedPod pod, Instant now) {
        pod.askedAgain(now);
        if (pod.origin().isNamed()) {
            byName.put(nameOf(pod), pod);
        }
    }

    private void addToBatches(AssumedPod pod) {
        PodId owner = pod.origin().owner();
        if (owner == null || pod.origin().style() != CreationStyle.IN_BATCHES) {
            return;
        }
        CreationBatches own =
                batches.computeIfAbsent(new InNamespace<>(pod.namespace(), owner), _ -> new CreationBatches());
        own.add(pod);
        pod.createdIn(own);
        settle(own);
        if (batches.size() > MOST_OWNERS) {
            unsettled.remove(batches.pollFirstEntry().getValue());
        }
    }

    private void settle(CreationBatches own) {
        if (own.isUnsettled()) {
            unsettled.add(own);
        } else {
            unsettled.remove(own);
        }
    }

    /** The older decision for the pod with this name; null if there is none, or nothing is reserved for it. */
    @Nullable
    AssumedPod named(String namespace, String name) {
        AssumedPod older = byName.get(new InNamespace<>(namespace, name));
        return older == null || older.isLapsed() ? null : older;
    }

    /** Takes the decisions out of their batches whose pods were refused, as newer decisions show. */
    List<AssumedPod> takeEnded(Instant now) {
        if (unsettled.isEmpty() || now.isBefore(nextLook)) {
            return List.of();
        }
        nextLook = now.plus(BETWEEN_LOOKS);
        List<AssumedPod> ended = new ArrayList<>();
        for (CreationBatches own : List.copyOf(unsettled)) {
            ended.addAll(own.takeEnded(now));
            settle(own);
        }
        return ended;
    }

    /** False only if no decision is {@link #overdue}. */
    boolean mayBeOverdue(Instant now) {
        return !byStamp.isEmpty() && isOld(byStamp.values().iterator().next(), now);
    }

    private static boolean isOld(AssumedPod pod, Instant now) {
        return !pod.assumedAt().plus(USUAL_CREATE).isAfter(now);
    }

    /** Those whose pods should have been seen by now, the oldest first. */
    List<AssumedPod> overdue(Instant now) {
        return byStamp.values().stream()
                .takeWhile(pod -> isOld(pod, now))
                .filter(pod -> !pod.isLapsed() && pod.isOverdue(now))
                .toList();
    }

    private void remove(AssumedPod pod) {
        byStamp.remove(pod.stamp());
        byName.remove(nameOf(pod), pod);
        bytes -= pod.bytes();
        tenants.computeIfPresent(pod.namespace(), (_, tenant) -> {
            tenant.byStamp.remove(pod.stamp());
            tenant.bytes -= pod.bytes();
            return tenant.byStamp.isEmpty() ? null : tenant;
        });
    }

    /** Calls {@code action} with what is reserved. */
    public void forEach(Consumer<Reservation> action) {
        byStamp.values().stream().filter(pod -> !pod.isLapsed()).forEach(pod -> action.accept(pod.reservation()));
    }

    @Nullable
    public AssumedPod get(String stamp, String namespace) {
        AssumedPod found = byStamp.get(stamp);
        return found == null || !found.namespace().equals(namespace) ? null : found;
    }

    @Nullable
    public AssumedPod forget(String stamp) {
        AssumedPod pod = byStamp.get(stamp);
        if (pod != null) {
            remove(pod);
            inBatches(pod, own -> own.withdraw(pod));
        }
        return pod;
    }

    /** Removes the decision for a pod that is seen now. */
    @Nullable
    AssumedPod confirm(String stamp, String namespace) {
        AssumedPod pod = get(stamp, namespace);
        if (pod != null) {
            remove(pod);
            inBatches(pod, own -> own.seen(pod));
        }
        return pod;
    }

    private void inBatches(AssumedPod pod, Consumer<CreationBatches> change) {
        CreationBatches own = pod.batches();
        if (own != null) {
            change.accept(own);
            if (!own.isUnsettled()) {
                unsettled.remove(own);
            }
        }
    }

    /** Removes the decisions whose pods can no longer appear: every pod stored before {@code syncedUpTo} was seen. */
    public List<Reservation> expire(Instant syncedUpTo) {
        List<AssumedPod> expired = byStamp.values().stream()
                .takeWhile(pod -> !pod.assumedAt().plus(longestCreate).isAfter(syncedUpTo))
                .toList();
        expired.forEach(pod -> {
            remove(pod);
            inBatches(pod, own -> own.withdraw(pod));
        });
        return expired.stream().map(AssumedPod::reservation).toList();
    }
}
