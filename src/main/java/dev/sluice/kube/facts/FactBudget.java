package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.FactKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Limits the memory that the facts of one reading may take, all kinds together. If there are too many facts, the
 * namespace and kind with the most of them is left out, so that one tenant cannot displace the objects of another.
 * Thread-safe.
 */
final class FactBudget {

    private static final int MEBIBYTE = 1 << 20;

    /** Holds facts of a share, and can drop them. Called only while the lock of the budget is held. */
    interface Keeper {
        /** Drops what can be dropped of this share, and returns the memory of the rest in bytes. */
        long drop(FactShare share);
    }

    /**
     * The objects that are kept or left out together.
     *
     * @param namespace the namespace; empty for the objects of the whole cluster
     */
    record FactShare(FactKind kind, String namespace) implements Comparable<FactShare> {

        private static final Comparator<FactShare> ORDER =
                Comparator.comparing(FactShare::kind).thenComparing(FactShare::namespace);

        /** Allows a hash table to find one of many namespaces with equal hashes without a look at all of them. */
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

    /** The estimated bytes that are needed to count the objects of a share. */
    private static final long SHARE_BYTES = 400;

    /** The largest number of shares. A cluster has fewer namespaces, but a file can contain any number. */
    private static final int MOST_SHARES = 100_000;

    /** A share that takes less than this part of the memory is not left out in favour of others. */
    private static final int SMALL_PART = 256;

    private final long most;
    private final Map<FactKind, Long> othersLeftOut = new EnumMap<>(FactKind.class);
    /** True while all shares are small and the memory is used up. */
    private boolean isFull;

    private final Map<FactShare, ShareUse> shares = new HashMap<>();
    private final List<Keeper> keepers = new ArrayList<>();
    private long kept;

    /** @param most the memory in bytes; objects of the whole cluster may exceed it by half of it */
    FactBudget(long most) {
        this.most = most;
    }

    /** Returns the memory that facts may take in a process that does nothing else. */
    static long ofCommand() {
        return Runtime.getRuntime().maxMemory() * 2 / 5;
    }

    /**
     * Returns the memory that facts may take in a process with other work. The report on them, the report before it and
     * the objects that are being read take as much again.
     */
    static long ofGateway(long heapBytes) {
        return heapBytes / 6;
    }

    synchronized void add(Keeper keeper) {
        keepers.add(keeper);
    }

    /** Forgets a keeper whose facts another one has taken over. */
    synchronized void remove(Keeper keeper) {
        keepers.remove(keeper);
    }

    /** Gives back what was taken for facts that are not used. */
    synchronized void giveBack(FactShare share, long bytes, long objects) {
        ShareUse use = shares.get(share);
        if (use != null) {
            use.bytes -= bytes;
            use.objects -= objects;
            kept -= bytes;
            isFull = false;
        }
    }

    /** What may be kept of an object. */
    enum Room {
        ALL,
        /** Only the part without which the objects of others would be judged wrongly. */
        LEAST,
        NOTHING
    }

    /**
     * Takes the memory of one object, and returns what may be kept of it.
     *
     * @param bytes the memory of the whole object
     * @param least the memory of the part that is kept of an object that is left out; 0 if nothing is
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

    /** Leaves out the share with the most facts, or the share of the new object if all others are small. */
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

    /** Returns the number of left out objects of each kind whose namespaces are not counted one by one. */
    synchronized Map<FactKind, Long> othersLeftOut() {
        return new EnumMap<>(othersLeftOut);
    }

    /** Returns what was left out, the largest numbers first. */
    synchronized List<LeftOutShare> leftOut() {
        return shares.entrySet().stream()
                .filter(entry -> entry.getValue().isLeftOut)
                .map(entry -> new LeftOutShare(entry.getKey(), entry.getValue().objects))
                .sorted(Comparator.comparingLong(LeftOutShare::objects)
                        .reversed()
                        .thenComparing(LeftOutShare::share))
                .toList();
    }

    /** Returns why something was left out, as a clause, with the limit and the way to raise it. */
    String why() {
        return "because all objects together would take more than " + Math.max(1, most / MEBIBYTE)
                + " MiB; a larger heap allows more, for example with SLUICE_JAVA_OPTS=-Xmx"
                + 4 * Math.max(1, Runtime.getRuntime().maxMemory() / MEBIBYTE) + "m";
    }
}
