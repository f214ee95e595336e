package dev.sluice.ledger.nodeindex;

import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import dev.sluice.snapshot.NodeKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Nodes nodes that the scheduler treats same, unless a pod names a node: of one kind, all cordoned or none.
 *
 * <p>For each device there is a tree of what is free on those nodes that have one free. Were there one tree for all, a
 * range of nodes with processors here and devices there would look like room for both.
 */
public final class NodeBucket {

    /** What every node has; pods come last, because some nodes do not say how many they take. */
    private static final ResourceName[] COMMON = {
        ResourceName.CPU, ResourceName.MEMORY, new ResourceName("ephemeral-storage"), ResourceName.PODS
    };

    private static final long[] NOTHING = new long[COMMON.length + 1];

    record BucketKey(NodeKind kind, boolean cordoned) {}

    private final BucketKey key;
    private final FreeCapacityTree all = new FreeCapacityTree(COMMON.length);
    private final Map<ResourceName, DeviceCapacity> byDevice = new HashMap<>();
    private final List<@Nullable NodeUsage> slots = new ArrayList<>();
    private final Deque<Integer> freeSlots = new ArrayDeque<>();

    /** Where one device is free, and how many of it in all. */
    private static final class DeviceCapacity {
        private final FreeCapacityTree tree = new FreeCapacityTree(COMMON.length + 1);
        private long free;
    }

    NodeBucket(BucketKey key) {
        this.key = key;
        key.kind().devices().forEach((device, _) -> byDevice.put(device, new DeviceCapacity()));
    }

    /** How many of {@code device} are free on all of its nodes together. */
    long freeOf(ResourceName device) {
        DeviceCapacity room = byDevice.get(device);
        return room == null ? 0 : room.free;
    }

    BucketKey key() {
        return key;
    }

    NodeKind kind() {
        return key.kind();
    }

    boolean isEmpty() {
        return freeSlots.size() == slots.size();
    }

    void put(NodeUsage usage) {
        Integer reused = freeSlots.poll();
        int slot = reused == null ? slots.size() : reused;
        if (reused == null) {
            slots.add(usage);
            all.grow(slots.size());
            byDevice.values().forEach(room -> room.tree.grow(slots.size()));
        } else {
            slots.set(slot, usage);
        }
        usage.moveTo(this, slot);
        update(usage);
    }

    void remove(NodeUsage usage) {
        int slot = usage.slot();
        usage.moveTo(null, -1);
        slots.set(slot, null);
        freeSlots.push(slot);
        all.clear(slot);
        byDevice.values().forEach(room -> set(room, slot, NOTHING));
    }

    void update(NodeUsage usage) {
        Amounts free = usage.free();
        long[] room = new long[COMMON.length + 1];
        for (int i = 0; i < COMMON.length; i++) {
            room[i] = free.get(COMMON[i]);
        }
        if (!usage.countsPods()) {
            room[COMMON.length - 1] = Long.MAX_VALUE;
        }
        all.set(usage.slot(), room);
        byDevice.forEach((device, having) -> {
            room[COMMON.length] = free.get(device);
            set(having, usage.slot(), room);
        });
    }

    private static void set(DeviceCapacity having, int slot, long[] room) {
        having.free += Math.max(0, room[COMMON.length]) - Math.max(0, having.tree.at(slot, COMMON.length));
        if (room[COMMON.length] > 0) {
            having.tree.set(slot, room);
        } else {
            having.tree.clear(slot);
        }
    }

    /** One of its nodes stands for all, for pods that read nothing by which they differ. */
    public boolean admits(NodeConstraints constraints) {
        NodeUsage any = any();
        return any != null && any.admits(constraints);
    }

    /** One of its nodes; null where it has none. */
    @Nullable
    NodeUsage any() {
        for (NodeUsage usage : slots) {
            if (usage != null && usage.node() != null) {
                return usage;
            }
        }
        return null;
    }

    /** What is looked for, on one bucket after the other. */
    static final class BucketQuery {
        private final Amounts need;
        private final @Nullable ResourceName device;
        private final long[] amounts = new long[COMMON.length + 1];

        /** {@code device} is one that is needed, if any is. */
        BucketQuery(Amounts need, @Nullable ResourceName device) {
            this.need = need;
            this.device = device;
            for (int i = 0; i < COMMON.length; i++) {
                // Of what is not needed a node may even have less than nothing.
                long wanted = need.get(COMMON[i]);
                amounts[i] = wanted > 0 ? wanted : Long.MIN_VALUE + 1;
            }
            amounts[COMMON.length] = device == null ? 0 : need.get(device);
        }
    }

    /** False where nothing here can be found, whoever is admitted: of most buckets one look tells. */
    boolean mayHave(BucketQuery wanted) {
        FreeCapacityTree tree = treeFor(wanted);
        return tree != null && tree.mayHave(wanted.amounts);
    }

    private @Nullable FreeCapacityTree treeFor(BucketQuery wanted) {
        if (wanted.device == null) {
            return all;
        }
        DeviceCapacity having = byDevice.get(wanted.device);
        return having == null ? null : having.tree;
    }

    /** The first that covers what is {@code wanted} and is {@code admitted}. */
    @Nullable
    NodeUsage first(BucketQuery wanted, Predicate<NodeUsage> admitted) {
        FreeCapacityTree tree = treeFor(wanted);
        if (tree == null) {
            return null;
        }
        int found = tree.first(wanted.amounts, slot -> {
            NodeUsage usage = slots.get(slot);
            return usage != null && usage.covers(wanted.need) && admitted.test(usage);
        });
        return found < 0 ? null : slots.get(found);
    }
}
