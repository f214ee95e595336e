package dev.sluice.ledger.placement;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeGroupProperties;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A group of nodes that the scheduler treats alike, unless a pod selects single nodes by their name or labels. The
 * nodes have the same {@link NodeGroupProperties}, and either all or none of them are cordoned.
 *
 * <p>Each device has its own search tree with the nodes where the device is free. In a single tree for all devices, two
 * nodes, one with free CPU and one with free devices, would look like one node that has both.
 */
public final class PlacementNodeBucket {

    /**
     * The resources whose free amounts are in every search tree. The number of pods must be last, because the code
     * replaces the last amount for nodes that do not limit the number of pods.
     */
    private static final ResourceName[] COMMON = {
        ResourceName.CPU, ResourceName.MEMORY, new ResourceName("ephemeral-storage"), ResourceName.PODS
    };

    record BucketKey(NodeGroupProperties kind, boolean cordoned) {}

    private final BucketKey key;
    private final Trees now;
    /**
     * The search trees for preemptors, by their priority. They contain the amounts that are free after the preemption
     * of all pods of lower priority.
     */
    private final Map<Integer, Trees> byPriority = new HashMap<>();

    private final List<@Nullable PlacementNodeUsage> slots = new ArrayList<>();
    private final Deque<Integer> freeSlots = new ArrayDeque<>();

    PlacementNodeBucket(BucketKey key) {
        this.key = key;
        this.now = new Trees();
    }

    /**
     * The search trees for free amounts: one tree contains all nodes, and for each device there is a tree with the
     * nodes where the device is free.
     */
    private final class Trees {

        private final FreeCapacityTree all = new FreeCapacityTree(COMMON.length);
        private final Map<ResourceName, FreeCapacityTree> byDevice = new HashMap<>();

        Trees() {
            key.kind().devices().forEach((device, _) -> byDevice.put(device, new FreeCapacityTree(COMMON.length + 1)));
        }

        void grow(int wanted) {
            all.grow(wanted);
            byDevice.values().forEach(tree -> tree.grow(wanted));
        }

        void clear(int slot) {
            all.clear(slot);
            byDevice.values().forEach(tree -> tree.clear(slot));
        }

        void set(PlacementNodeUsage usage, Amounts free) {
            long[] amounts = new long[COMMON.length + 1];
            for (int i = 0; i < COMMON.length; i++) {
                amounts[i] = free.get(COMMON[i]);
            }
            if (!usage.countsPods()) {
                amounts[COMMON.length - 1] = Long.MAX_VALUE;
            }
            all.set(usage.slot(), amounts);
            byDevice.forEach((device, tree) -> {
                amounts[COMMON.length] = free.get(device);
                if (amounts[COMMON.length] > 0) {
                    tree.set(usage.slot(), amounts);
                } else {
                    tree.clear(usage.slot());
                }
            });
        }
    }

    /** Adds the search trees that {@link #first} needs to find nodes for preemptors of this priority. */
    void addPriority(int priority) {
        Trees trees = new Trees();
        trees.grow(slots.size());
        for (PlacementNodeUsage usage : slots) {
            if (usage != null) {
                trees.set(usage, usage.freeFor(priority));
            }
        }
        byPriority.put(priority, trees);
    }

    void removePriority(int priority) {
        byPriority.remove(priority);
    }

    BucketKey key() {
        return key;
    }

    NodeGroupProperties kind() {
        return key.kind();
    }

    boolean isEmpty() {
        return freeSlots.size() == slots.size();
    }

    void put(PlacementNodeUsage usage) {
        Integer reused = freeSlots.poll();
        int slot = reused == null ? slots.size() : reused;
        if (reused == null) {
            slots.add(usage);
            now.grow(slots.size());
            byPriority.values().forEach(trees -> trees.grow(slots.size()));
        } else {
            slots.set(slot, usage);
        }
        usage.moveTo(this, slot);
        update(usage);
    }

    void remove(PlacementNodeUsage usage) {
        int slot = usage.slot();
        usage.moveTo(null, -1);
        slots.set(slot, null);
        freeSlots.push(slot);
        now.clear(slot);
        byPriority.values().forEach(trees -> trees.clear(slot));
    }

    void update(PlacementNodeUsage usage) {
        now.set(usage, usage.free());
        if (!byPriority.isEmpty()) {
            byPriority.forEach((priority, trees) -> trees.set(usage, usage.freeFor(priority)));
        }
    }

    /**
     * Returns true if the nodes admit a pod with these constraints. Only one node is checked, so the caller must ensure
     * that the constraints treat all nodes of this bucket alike.
     */
    public boolean admits(NodeConstraints constraints) {
        PlacementNodeUsage any = any();
        return any != null && any.admits(constraints);
    }

    /** Returns the usage of {@code device} on the nodes that {@code admitted} accepts. */
    PlacementDeviceUsage usageOf(ResourceName device, Predicate<PlacementNodeUsage> admitted) {
        PlacementDeviceUsage sum = new PlacementDeviceUsage(0, 0, 0, 0, 0);
        for (PlacementNodeUsage usage : slots) {
            if (usage != null && usage.node() != null && admitted.test(usage)) {
                sum = sum.plus(usage.usageOf(device));
            }
        }
        return sum;
    }

    /** Returns any node of the bucket; null if the bucket is empty. */
    @Nullable
    PlacementNodeUsage any() {
        for (PlacementNodeUsage usage : slots) {
            if (usage != null && usage.node() != null) {
                return usage;
            }
        }
        return null;
    }

    /** A search for free capacity, which is prepared once and run in several buckets. */
    static final class BucketQuery {
        private final Amounts need;
        private final @Nullable ResourceName device;
        /** The priority of the pod, if it may preempt other pods; null if it may not. */
        private final @Nullable Integer priority;

        private final long[] amounts = new long[COMMON.length + 1];

        /**
         * @param device a device that the pod needs; null if it needs none
         * @param priority the priority of the pod, if it may preempt other pods; null if it may not
         */
        BucketQuery(Amounts need, @Nullable ResourceName device, @Nullable Integer priority) {
            this.need = need;
            this.device = device;
            this.priority = priority;
            for (int i = 0; i < COMMON.length; i++) {
                // For a resource that the pod does not need, every free amount is enough, even a negative one.
                long wanted = need.get(COMMON[i]);
                amounts[i] = wanted > 0 ? wanted : Long.MIN_VALUE + 1;
            }
            amounts[COMMON.length] = device == null ? 0 : need.get(device);
        }
    }

    /** Returns false if certainly no node has the amounts of {@code wanted}. A search is then not needed. */
    boolean mayHave(BucketQuery wanted) {
        FreeCapacityTree tree = treeFor(wanted);
        return tree != null && tree.mayHave(wanted.amounts);
    }

    private @Nullable FreeCapacityTree treeFor(BucketQuery wanted) {
        Trees trees = wanted.priority == null ? now : byPriority.get(wanted.priority);
        if (trees == null) {
            return null;
        }
        return wanted.device == null ? trees.all : trees.byDevice.get(wanted.device);
    }

    private static boolean covers(PlacementNodeUsage usage, BucketQuery wanted) {
        return wanted.priority == null ? usage.covers(wanted.need) : usage.coversFor(wanted.priority, wanted.need);
    }

    /**
     * Returns the first node that has the amounts of {@code wanted} and that {@code admitted} accepts. Returns null if
     * there is none.
     */
    @Nullable
    PlacementNodeUsage first(BucketQuery wanted, Predicate<PlacementNodeUsage> admitted) {
        FreeCapacityTree tree = treeFor(wanted);
        if (tree == null) {
            return null;
        }
        int found = tree.first(wanted.amounts, slot -> {
            PlacementNodeUsage usage = slots.get(slot);
            return usage != null && covers(usage, wanted) && admitted.test(usage);
        });
        return found < 0 ? null : slots.get(found);
    }
}
