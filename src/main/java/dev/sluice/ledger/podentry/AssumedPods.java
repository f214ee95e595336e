package dev.sluice.ledger.podentry;

import dev.sluice.ledger.nodeindex.AssumeRequest;
import dev.sluice.ledger.nodeindex.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decisions whose pods were not seen yet, by the stamp that was given to each. A stamp is worth something once, and
 * only in the namespace for which it was given.
 *
 * <p>Whoever may create pods can make decisions whose pods never appear, so their number and their size are bounded, in
 * all and for each namespace. Where all of them are too many, the namespace that holds most loses its newest.
 */
public final class AssumedPods {

    /**
     * A CREATE lives at most 34 s in the API server (request timeout of 60 s, of which a write gets 34 s), so after
     * that the pod is stored or never will be.
     */
    public static final Duration LONGEST_CREATE = Duration.ofSeconds(34);

    /** An eighth of the heap of 192 MiB. */
    static final long MOST_BYTES = 24L << 20;

    /** A quarter of them: one namespace leaves room for others, and three together still do. */
    static final long MOST_BYTES_OF_ONE = MOST_BYTES / 4;

    /**
     * What each decision takes beside the texts of its pod: reservation, places in queues, stamp, and what is kept of
     * its answer; with the texts of a usual pod 1.2 KiB were measured.
     */
    static final long BYTES_OF_EACH = 1_280;

    /**
     * More there cannot be. With the texts of usual pods there is room for some 12,000, that is 350 a second that all
     * come to nothing for 34 s. An API server works on 600 requests at a time, and pods that are stored are seen within
     * milliseconds.
     */
    static final int MOST = (int) (MOST_BYTES / BYTES_OF_EACH);

    /** For what a pod asks and where it may run: more than a thousand nodes can be named in so much. */
    private static final long MOST_LETTERS = 64 * 1024;

    /** Letters that are not Latin take two. */
    private static final long BYTES_OF_LETTER = 2;

    public record AssumedPod(String stamp, String namespace, Reservation reservation, Instant assumedAt, long bytes) {}

    /** What one namespace holds, in the order of its giving. */
    private static final class Tenant {
        private final LinkedHashMap<String, AssumedPod> byStamp = new LinkedHashMap<>();
        private long bytes;
    }

    /** In the order of their giving. */
    private final Map<String, AssumedPod> byStamp = new LinkedHashMap<>();

    private final Map<String, Tenant> tenants = new HashMap<>();
    private long bytes;

    public int size() {
        return byStamp.size();
    }

    public long bytes() {
        return bytes;
    }

    /** How many were given to others than this namespace. */
    public int sizeOfOthers(String namespace) {
        Tenant own = tenants.get(namespace);
        return byStamp.size() - (own == null ? 0 : own.byStamp.size());
    }

    private static long letters(AssumeRequest decided) {
        return decided.need().weight()
                + decided.constraints().weight()
                + decided.namespace().length()
                + decided.stamp().length();
    }

    private static long weight(AssumeRequest decided) {
        return BYTES_OF_EACH + BYTES_OF_LETTER * letters(decided);
    }

    /** Why this decision cannot be kept; empty where it can, if those {@link #evictFor} leave. */
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
        Tenant largest = new Tenant();
        for (Tenant tenant : tenants.values()) {
            largest = tenant.bytes > largest.bytes ? tenant : largest;
        }
        return largest;
    }

    /** The newest of the namespaces that hold most leave, until there is room for this decision. */
    public List<Reservation> evictFor(AssumeRequest decided) {
        List<Reservation> yielding = new ArrayList<>();
        long more = weight(decided);
        while (bytes + more > MOST_BYTES) {
            AssumedPod newest = largest().byStamp.lastEntry().getValue();
            remove(newest);
            yielding.add(newest.reservation());
        }
        return yielding;
    }

    public void assume(AssumeRequest decided, Reservation reservation, Instant now) {
        AssumedPod one = new AssumedPod(decided.stamp(), decided.namespace(), reservation, now, weight(decided));
        byStamp.put(one.stamp(), one);
        Tenant tenant = tenants.computeIfAbsent(one.namespace(), _ -> new Tenant());
        tenant.byStamp.put(one.stamp(), one);
        tenant.bytes += one.bytes();
        bytes += one.bytes();
    }

    private void remove(AssumedPod one) {
        byStamp.remove(one.stamp());
        bytes -= one.bytes();
        tenants.computeIfPresent(one.namespace(), (_, tenant) -> {
            tenant.byStamp.remove(one.stamp());
            tenant.bytes -= one.bytes();
            return tenant.byStamp.isEmpty() ? null : tenant;
        });
    }

    public void forEach(Consumer<Reservation> action) {
        byStamp.values().forEach(one -> action.accept(one.reservation()));
    }

    /** Of whatever namespace. */
    @Nullable
    public AssumedPod forget(String stamp) {
        AssumedPod found = byStamp.get(stamp);
        if (found != null) {
            remove(found);
        }
        return found;
    }

    @Nullable
    public AssumedPod get(String stamp, String namespace) {
        AssumedPod found = byStamp.get(stamp);
        return found == null || !found.namespace().equals(namespace) ? null : found;
    }

    /** The decision for this pod, which is now seen. */
    @Nullable
    AssumedPod confirm(String stamp, String namespace) {
        AssumedPod found = get(stamp, namespace);
        if (found != null) {
            remove(found);
        }
        return found;
    }

    /** The next decision whose pod can no longer appear: everything stored before {@code toldUpTo} has been told. */
    public Optional<Reservation> expireNext(Instant toldUpTo) {
        Iterator<AssumedPod> oldest = byStamp.values().iterator();
        if (!oldest.hasNext()) {
            return Optional.empty();
        }
        AssumedPod first = oldest.next();
        if (first.assumedAt().plus(LONGEST_CREATE).isAfter(toldUpTo)) {
            return Optional.empty();
        }
        remove(first);
        return Optional.of(first.reservation());
    }
}
