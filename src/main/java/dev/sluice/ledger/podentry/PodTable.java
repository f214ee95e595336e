package dev.sluice.ledger.podentry;

import dev.sluice.pod.PodId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holdings by pod. Open addressing with linear probing: a {@code HashMap} would need an entry and a key object for each
 * of a hundred thousand pods, more than the holding itself.
 */
final class PodTable {

    private static final int SMALLEST = 64;

    private @Nullable PodEntry[] places = new PodEntry[SMALLEST];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    PodEntry get(PodId id) {
        for (int i = home(id.high(), id.low()); places[i] != null; i = next(i)) {
            if (places[i].is(id)) {
                return places[i];
            }
        }
        return null;
    }

    /** A pod that is not here yet. */
    void add(PodEntry holding) {
        // Two thirds full: half the places are looked at twice.
        if (3 * (size + 1) > 2 * places.length) {
            resize(2 * places.length);
        }
        insert(holding);
        size++;
    }

    private void insert(PodEntry holding) {
        int i = home(holding.high, holding.low);
        while (places[i] != null) {
            i = next(i);
        }
        places[i] = holding;
    }

    private void resize(int length) {
        @Nullable PodEntry[] before = places;
        places = new PodEntry[length];
        for (PodEntry holding : before) {
            if (holding != null) {
                insert(holding);
            }
        }
    }

    /** What stands behind a gap moves up, so that no search ends too early. */
    void remove(PodEntry holding) {
        int gap = home(holding.high, holding.low);
        while (places[gap] != holding) {
            gap = next(gap);
        }
        size--;
        for (int i = next(gap); places[i] != null; i = next(i)) {
            int home = home(places[i].high, places[i].low);
            if (distance(home, i) >= distance(gap, i)) {
                places[gap] = places[i];
                gap = i;
            }
        }
        places[gap] = null;
        if (places.length > SMALLEST && 8 * size < places.length) {
            resize(places.length / 2);
        }
    }

    List<PodEntry> matching(Predicate<PodEntry> wanted) {
        List<PodEntry> found = new ArrayList<>();
        forEach(holding -> {
            if (wanted.test(holding)) {
                found.add(holding);
            }
        });
        return found;
    }

    void forEach(Consumer<PodEntry> action) {
        for (PodEntry holding : places) {
            if (holding != null) {
                action.accept(holding);
            }
        }
    }

    private int distance(int from, int to) {
        return (to - from) & (places.length - 1);
    }

    private int next(int place) {
        return (place + 1) & (places.length - 1);
    }

    private int home(long high, long low) {
        long mixed = (high ^ low) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & (places.length - 1);
    }
}
