package dev.sluice.ledger.podentry;

import dev.sluice.pod.PodId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holdings by pod. Open addressing with linear probing: a {@code HashMap} would need an entry and a key object for each
 * of a hundred thousand pods, more than the entry itself.
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

    /** A pod that is not here yet. */
    void add(PodEntry entry) {
        // Two thirds full: half the places are looked at twice.
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

    /** What stands behind a gap moves up, so that no search ends too early. */
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

    List<PodEntry> matching(Predicate<PodEntry> wanted) {
        List<PodEntry> found = new ArrayList<>();
        forEach(entry -> {
            if (wanted.test(entry)) {
                found.add(entry);
            }
        });
        return found;
    }

    void forEach(Consumer<PodEntry> action) {
        for (PodEntry entry : slots) {
            if (entry != null) {
                action.accept(entry);
            }
        }
    }

    private int distance(int from, int to) {
        return (to - from) & (slots.length - 1);
    }

    private int next(int place) {
        return (place + 1) & (slots.length - 1);
    }

    private int home(long high, long low) {
        long mixed = (high ^ low) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & (slots.length - 1);
    }
}
