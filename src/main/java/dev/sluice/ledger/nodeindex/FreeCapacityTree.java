package dev.sluice.ledger.nodeindex;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The largest free amounts over ranges of slots, so that the first slot with room for all of several needs is found
 * without looking at those that have none: a segment tree of maxima, {@code dimensions} numbers a slot.
 *
 * <p>A range may hold the largest amount of one resource in one slot and of another in the next; then the search looks
 * into it in vain. {@link NodeBucket} keeps such ranges rare.
 */
final class FreeCapacityTree {

    /** Stands for a slot without room for anything. */
    private static final long NOTHING = Long.MIN_VALUE;

    private final int dimensions;
    /** The node at {@code i} has its children at {@code 2i} and {@code 2i + 1}; the slots are the last level. */
    private long[] largest;

    private int slots = 1;

    FreeCapacityTree(int dimensions) {
        this.dimensions = dimensions;
        this.largest = empty(slots);
    }

    private long[] empty(int size) {
        long[] fresh = new long[2 * size * dimensions];
        Arrays.fill(fresh, NOTHING);
        return fresh;
    }

    /** Room for so many; what was set stays. */
    void grow(int wanted) {
        if (wanted <= slots) {
            return;
        }
        int before = slots;
        long[] old = largest;
        slots = Integer.highestOneBit(wanted - 1) << 1;
        largest = empty(slots);
        System.arraycopy(old, before * dimensions, largest, slots * dimensions, before * dimensions);
        for (int node = slots - 1; node > 0; node--) {
            var _ = updateRange(node);
        }
    }

    long at(int slot, int dimension) {
        return largest[(slots + slot) * dimensions + dimension];
    }

    void clear(int slot) {
        Arrays.fill(largest, (slots + slot) * dimensions, (slots + slot + 1) * dimensions, NOTHING);
        updateAncestors(slot);
    }

    void set(int slot, long[] free) {
        System.arraycopy(free, 0, largest, (slots + slot) * dimensions, dimensions);
        updateAncestors(slot);
    }

    private void updateAncestors(int slot) {
        for (int node = (slots + slot) >> 1; node > 0 && updateRange(node); node >>= 1) {
            // Up to the first range that stays what it was.
        }
    }

    private boolean updateRange(int node) {
        boolean changed = false;
        int left = 2 * node * dimensions;
        for (int i = 0; i < dimensions; i++) {
            long larger = Math.max(largest[left + i], largest[left + dimensions + i]);
            changed |= largest[node * dimensions + i] != larger;
            largest[node * dimensions + i] = larger;
        }
        return changed;
    }

    /** The first slot that has all of {@code need} and is {@code accepted}; −1 when there is none. */
    int first(long[] need, IntPredicate accepted) {
        return firstBelow(1, need, accepted);
    }

    /** False where no slot has all of {@code need}; it may be true where none has, either. */
    boolean mayHave(long[] need) {
        return covers(1, need);
    }

    private boolean covers(int node, long[] need) {
        for (int i = 0; i < dimensions; i++) {
            if (largest[node * dimensions + i] < need[i]) {
                return false;
            }
        }
        return true;
    }

    private int firstBelow(int node, long[] need, IntPredicate accepted) {
        if (!covers(node, need)) {
            return -1;
        }
        if (node >= slots) {
            return accepted.test(node - slots) ? node - slots : -1;
        }
        int left = firstBelow(2 * node, need, accepted);
        return left >= 0 ? left : firstBelow(2 * node + 1, need, accepted);
    }
}
