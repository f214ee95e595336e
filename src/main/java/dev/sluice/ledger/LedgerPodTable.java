package dev.sluice.ledger;

import dev.sluice.cluster.PodId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of pod entries by uid, with linear probing. A {@code HashMap} would need a table node and a key object
 * for each of a hundred thousand pods. These two objects would take more memory than the entry itself.
 */
final class LedgerPodTable {

    private static final int SMALLEST = 64;

    private @Nullable LedgerPodEntry[] slots = new LedgerPodEntry[SMALLEST];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    LedgerPodEntry get(PodId id) {
        for (int i = home(id.high(), id.low()); slots[i] != null; i = next(i)) {
            if (slots[i].is(id)) {
                return slots[i];
            }
        }
        return null;
    }

    /** Adds the entry of a pod that has no entry yet. */
    void add(LedgerPodEntry entry) {
        // The table grows when it is two thirds full. Beyond that, searches take too many steps.
        if (3 * (size + 1) > 2 * slots.length) {
            resize(2 * slots.length);
        }
        insert(entry);
        size++;
    }

    private void insert(LedgerPodEntry entry) {
        int i = home(entry.high, entry.low);
        while (slots[i] != null) {
            i = next(i);
        }
        slots[i] = entry;
    }

    private void resize(int length) {
        @Nullable LedgerPodEntry[] before = slots;
        slots = new LedgerPodEntry[length];
        for (LedgerPodEntry entry : before) {
            if (entry != null) {
                insert(entry);
            }
        }
    }

    /**
     * Removes an entry, and moves entries from later slots into the empty slot. Without the moves, searches would end
     * at the empty slot and miss those entries.
     */
    void remove(LedgerPodEntry entry) {
        int gap = home(entry.high, entry.low);
        while (slots[gap] != entry) {
            gap = next(gap);
        }
        size--;
        for (int i = next(gap); slots[i] != null; i = next(i)) {
            int home = home(slots[i].high, slots[i].low);
            if (distance(home, i) >= distance(gap, i)) {
                slots[gap] = slots[i];
                gap = i;
            }
        }
        slots[gap] = null;
        if (slots.length > SMALLEST && 8 * size < slots.length) {
            resize(slots.length / 2);
        }
    }

    /**
     * Returns the number of slots of the table, empty ones included. Slots are numbered from 0. Adding or removing an
     * entry may change the number.
     */
    int slots() {
        return slots.length;
    }

    /** Calls {@code action} with the entries in the slots from {@code firstSlot} to {@code endSlot} − 1. */
    void forEachIn(int firstSlot, int endSlot, Consumer<LedgerPodEntry> action) {
        for (int i = firstSlot; i < endSlot; i++) {
            if (slots[i] != null) {
                action.accept(slots[i]);
            }
        }
    }

    void forEach(Consumer<LedgerPodEntry> action) {
        forEachIn(0, slots.length, action);
    }

    private int distance(int from, int to) {
        return (to - from) & (slots.length - 1);
    }

    private int next(int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    private int home(long high, long low) {
        long mixed = (high ^ low) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & (slots.length - 1);
    }
}
