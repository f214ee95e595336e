package dev.sluice.ledger.placement;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A segment tree that finds the first slot with enough free capacity, without visiting most of the other slots. A slot
 * holds the free amounts of one node: {@code dimensions} amounts, one for each resource. For each range of slots, the
 * tree stores the maximum of each amount.
 *
 * <p>The maxima of a range may come from different slots, so a search in the range may find no slot.
 * {@link PlacementNodeBucket} ensures that such ranges are rare.
 */
final class FreeCapacityTree {

    /** The amount in an empty slot. It is less than any request, so no search finds an empty slot. */
    private static final long EMPTY = Long.MIN_VALUE;

    private final int dimensions;
    /**
     * The maxima of all ranges of slots. Range 1 contains all slots, and the two halves of range {@code i} are the
     * ranges {@code 2i} and {@code 2i + 1}. The last ranges are the single slots.
     */
    private long[] largest;

    private int slots = 1;

    FreeCapacityTree(int dimensions) {
        this.dimensions = dimensions;
        this.largest = empty(slots);
    }

    private long[] empty(int size) {
        long[] fresh = new long[2 * size * dimensions];
        Arrays.fill(fresh, EMPTY);
        return fresh;
    }

    /** Grows the tree to at least {@code wanted} slots. The amounts that were set are kept. */
    void grow(int wanted) {
        if (wanted <= slots) {
            return;
        }
        int before = slots;
        long[] old = largest;
        slots = Integer.highestOneBit(wanted - 1) << 1;
        largest = empty(slots);
        System.arraycopy(old, before * dimensions, largest, slots * dimensions, before * dimensions);
        for (int range = slots - 1; range > 0; range--) {
            var _ = updateRange(range);
        }
    }

    void clear(int slot) {
        Arrays.fill(largest, (slots + slot) * dimensions, (slots + slot + 1) * dimensions, EMPTY);
        updateAncestors(slot);
    }

    void set(int slot, long[] free) {
        System.arraycopy(free, 0, largest, (slots + slot) * dimensions, dimensions);
        updateAncestors(slot);
    }

    private void updateAncestors(int slot) {
        for (int range = (slots + slot) >> 1; range > 0 && updateRange(range); range >>= 1) {
            // The loop ends early: if the maxima of a range have not changed, those of the larger ranges around it have
            // not changed either.
        }
    }

    private boolean updateRange(int range) {
        boolean changed = false;
        int left = 2 * range * dimensions;
        for (int i = 0; i < dimensions; i++) {
            long larger = Math.max(largest[left + i], largest[left + dimensions + i]);
            changed |= largest[range * dimensions + i] != larger;
            largest[range * dimensions + i] = larger;
        }
        return changed;
    }

    /**
     * Returns the first slot that has at least all amounts of {@code need} and that {@code accepted} accepts. Returns
     * −1 if there is none.
     */
    int first(long[] need, IntPredicate accepted) {
        return firstIn(1, need, accepted);
    }

    /**
     * Returns true if there may be a slot that has at least all amounts of {@code need}. The check is faster than a
     * search.
     */
    boolean mayHave(long[] need) {
        return covers(1, need);
    }

    private boolean covers(int range, long[] need) {
        for (int i = 0; i < dimensions; i++) {
            if (largest[range * dimensions + i] < need[i]) {
                return false;
            }
        }
        return true;
    }

    private int firstIn(int range, long[] need, IntPredicate accepted) {
        if (!covers(range, need)) {
            return -1;
        }
        if (range >= slots) {
            return accepted.test(range - slots) ? range - slots : -1;
        }
        int left = firstIn(2 * range, need, accepted);
        return left >= 0 ? left : firstIn(2 * range + 1, need, accepted);
    }
}
