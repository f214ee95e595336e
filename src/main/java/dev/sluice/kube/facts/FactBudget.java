package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.ClusterFactKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Limits the memory that the facts of one reading of the cluster may take, for all kinds together. Facts are the fields
 * of Kubernetes objects that a diagnosis needs. If there are too many facts, all objects of one kind in one namespace
 * are left out, beginning with the kind and namespace that takes most memory. One tenant therefore cannot displace the
 * objects of another tenant. This class is thread-safe.
 */
final class FactBudget {

    private static final int MEBIBYTE = 1 << 20;

    /**
     * Stores facts, and can drop the facts of one kind and namespace. The budget calls it only while the budget holds
     * its own lock.
     */
    interface Keeper {
        /**
         * Drops the facts of this kind and namespace. Keeps only the parts that the diagnosis of other objects needs.
         * Returns the memory of the kept parts in bytes.
         */
        long drop(FactShare share);
    }

    /**
     * The objects of one kind in one namespace, which are kept or left out together.
     *
     * @param namespace the namespace; empty for the objects of the whole cluster
     */
    record FactShare(ClusterFactKind kind, String namespace) implements Comparable<FactShare> {

        private static final Comparator<FactShare> ORDER =
                Comparator.comparing(FactShare::kind).thenComparing(FactShare::namespace);

        /** Orders the keys for hash maps. A hash map then finds a key quickly even if many keys have the same hash. */
        @Override
        public int compareTo(FactShare other) {
            return ORDER.compare(this, other);
        }
    }

    private static final class ShareUse {
        private long bytes;
        private long objects;
        private boolean isLeftOut;
    }

    /** The estimated memory, in bytes, of the counters for one kind and namespace. */
    private static final long SHARE_BYTES = 400;

    /**
     * The maximum number of shares, which are pairs of a kind and a namespace. A cluster has fewer namespaces, but a
     * file can contain any number.
     */
    private static final int MOST_SHARES = 100_000;

    /**
     * If the objects of a kind and namespace take less than 1/{@code SMALL_PART} of the memory, they are never left out
     * in favour of other objects.
     */
    private static final int SMALL_PART = 256;

    private final long most;
    private final Map<ClusterFactKind, Long> othersLeftOut = new EnumMap<>(ClusterFactKind.class);
    /**
     * True if the memory is full, and no kind and namespace takes a large part of it. New objects are then left out,
     * and no stored objects are dropped for them.
     */
    private boolean isFull;

    private final Map<FactShare, ShareUse> shares = new HashMap<>();
    private final List<Keeper> keepers = new ArrayList<>();
    private long kept;

    /**
     * Creates a budget.
     *
     * @param most the limit for the memory, in bytes; objects without a namespace may exceed it by half
     */
    FactBudget(long most) {
        this.most = most;
    }

    /** Returns the memory that facts may take in a process that only runs one command. */
    static long ofCommand() {
        return Runtime.getRuntime().maxMemory() * 2 / 5;
    }

    /**
     * Returns the memory that facts may take in a process that also does other work. It is a sixth of the heap. The
     * rest of a diagnosis takes about another sixth.
     */
    static long ofGateway(long heapBytes) {
        return heapBytes / 6;
    }

    synchronized void add(Keeper keeper) {
        keepers.add(keeper);
    }

    /** Removes a keeper whose facts were moved to another keeper, or are no longer needed. */
    synchronized void remove(Keeper keeper) {
        keepers.remove(keeper);
    }

    /** Gives back the memory of facts that are no longer used. */
    synchronized void giveBack(FactShare share, long bytes, long objects) {
        ShareUse use = shares.get(share);
        if (use != null) {
            use.bytes -= bytes;
            use.objects -= objects;
            kept -= bytes;
            isFull = false;
        }
    }

    /** The part of an object for which there is memory. */
    enum Room {
        ALL,
        /** Only the part of the object that the diagnosis of other objects needs. */
        LEAST,
        NOTHING
    }

    /**
     * Takes memory for one object, and returns the part of the object that may be kept.
     *
     * @param bytes the memory of the whole object
     * @param least the memory of the part that is kept even if the object is left out; 0 if there is no such part
     */
    synchronized Room take(FactShare share, long bytes, long least) {
        ShareUse known = shares.get(share);
        ShareUse use = known == null ? new ShareUse() : known;
        boolean isOfCluster = share.namespace().isEmpty();
        long needed = bytes + (known == null ? SHARE_BYTES : 0);
        if (isOfCluster) {
            use.isLeftOut |= kept + needed > most + most / 2;
        }
        while (!use.isLeftOut && !isOfCluster && kept + needed > most) {
            leaveOutHeaviest(share, use, needed);
        }
        long taken = use.isLeftOut ? least : bytes;
        boolean isOneOfMany = (taken == 0 && isFull) || shares.size() >= MOST_SHARES;
        if (known == null && !isOfCluster && isOneOfMany) {
            othersLeftOut.merge(share.kind(), 1L, Long::sum);
            return Room.NOTHING;
        }
        if (known == null) {
            shares.put(share, use);
            kept += SHARE_BYTES;
        }
        use.objects++;
        if (taken == 0 || kept + taken > most + most / 2) {
            return Room.NOTHING;
        }
        use.bytes += taken;
        kept += taken;
        return use.isLeftOut ? Room.LEAST : Room.ALL;
    }

    /**
     * Leaves out all objects of the kind and namespace that takes most memory. If that is only little memory, leaves
     * out all objects of {@code share} instead, to which the new object belongs.
     */
    private void leaveOutHeaviest(FactShare share, ShareUse own, long more) {
        FactShare heaviest = share;
        long bytes = own.bytes + more;
        if (!isFull) {
            for (Map.Entry<FactShare, ShareUse> entry : shares.entrySet()) {
                ShareUse use = entry.getValue();
                if (!use.isLeftOut && !entry.getKey().namespace().isEmpty() && use.bytes > bytes) {
                    heaviest = entry.getKey();
                    bytes = use.bytes;
                }
            }
            isFull = bytes < most / SMALL_PART;
        }
        if (isFull || heaviest.equals(share)) {
            leaveOut(share, own);
        } else {
            leaveOut(heaviest, Objects.requireNonNull(shares.get(heaviest)));
        }
    }

    private void leaveOut(FactShare share, ShareUse use) {
        long rest = 0;
        if (use.bytes > 0) {
            for (Keeper keeper : keepers) {
                rest += keeper.drop(share);
            }
        }
        kept += rest - use.bytes;
        use.bytes = rest;
        use.isLeftOut = true;
    }

    /** The objects of one namespace and kind that were left out. */
    record LeftOutShare(FactShare share, long objects) {}

    /**
     * Returns, for each kind, the number of left-out objects that are not counted by namespace, because there are too
     * many namespaces.
     */
    synchronized Map<ClusterFactKind, Long> othersLeftOut() {
        return new EnumMap<>(othersLeftOut);
    }

    /**
     * Returns each kind and namespace from which objects were left out, beginning with the largest number of objects.
     */
    synchronized List<LeftOutShare> leftOut() {
        return shares.entrySet().stream()
                .filter(entry -> entry.getValue().isLeftOut)
                .map(entry -> new LeftOutShare(entry.getKey(), entry.getValue().objects))
                .sorted(Comparator.comparingLong(LeftOutShare::objects)
                        .reversed()
                        .thenComparing(LeftOutShare::share))
                .toList();
    }

    /**
     * Returns the reason why objects were left out, as a clause. The clause names the limit and how the user can raise
     * it.
     */
    String why() {
        return "because " + tooLarge(most, "");
    }

    /**
     * Returns a clause that says that all objects together would take more than {@code most} bytes, and how to raise
     * the limit.
     *
     * @param objects more words about the objects, beginning with a comma; empty if there are none
     */
    static String tooLarge(long most, String objects) {
        return "all objects together would take more than " + Math.max(1, most / MEBIBYTE) + " MiB" + objects
                + "; a larger heap allows more, for example with SLUICE_JAVA_OPTS=-Xmx"
                + 4 * Math.max(1, Runtime.getRuntime().maxMemory() / MEBIBYTE) + "m";
    }
}
