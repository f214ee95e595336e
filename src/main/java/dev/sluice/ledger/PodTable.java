package dev.sluice.ledger;

import dev.sluice.cluster.PodId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries by pod, in a hash table with linear probing: a {@code HashMap} would need a node and a key object for
 * each of a hundred thousand pods, which is more than the entry itself.
 */
final class PodTable {

    private static final int SMALLEST = 64;

    private @Nullable PodEntry[] slots = new PodEntry[SMALLEST];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    PodEntry get(PodId id) {
        for (int i = home(id.high(), id.low()); slots[i] != null; i = next(i)) {
            if (slots[i].is(id)) {
                return slots[i];
            }
        }
        return null;
    }

    /** The pod must have no entry yet. */
    void add(PodEntry entry) {
        // At two thirds, half of the slots are probed twice.
        if (3 * (size + 1) > 2 * slots.length) {
            resize(2 * slots.length);
        }
        insert(entry);
        size++;
    }

    private void insert(PodEntry entry) {
        int i = home(entry.high, entry.low);
        while (slots[i] != null) {
            i = next(i);
        }
        slots[i] = entry;
    }

    private void resize(int length) {
        @Nullable PodEntry[] before = slots;
        slots = new PodEntry[length];
        for (PodEntry entry : before) {
            if (entry != null) {
                insert(entry);
            }
        }
    }

    /** Entries behind the gap move up, so that no search ends too early. */
    void remove(PodEntry entry) {
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

    /** How many slots there are, of which the first is 0. It may change when an entry is added or removed. */
    int slots() {
        return slots.length;
    }

    /** Calls {@code action} with the entries of some slots. */
    void forEachIn(int firstSlot, int endSlot, Consumer<PodEntry> action) {
        for (int i = firstSlot; i < endSlot; i++) {
            if (slots[i] != null) {
                action.accept(slots[i]);
            }
        }
    }

    void forEach(Consumer<PodEntry> action) {
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
