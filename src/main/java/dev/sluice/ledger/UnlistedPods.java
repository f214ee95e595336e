package dev.sluice.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Finds the pods that a list did not mention, some entries at a time. Nothing may be added or removed meanwhile. */
final class UnlistedPods {

    private final PodTable entries;
    private final int list;
    private final Queue<PodEntry> found = new ArrayDeque<>();
    private int nextSlot;

    UnlistedPods(PodTable entries, int list) {
        this.entries = entries;
        this.list = list;
    }

    /** Looks at {@code slots} more. Returns true once it has looked at all. */
    public boolean search(int slots) {
        int end = Math.min(nextSlot + slots, entries.slots());
        entries.forEachIn(nextSlot, end, entry -> {
            if (entry.list != list) {
                found.add(entry);
            }
        });
        nextSlot = end;
        return end == entries.slots();
    }

    /** The next ones, at most {@code most}; empty after the last. */
    List<PodEntry> next(int most) {
        List<PodEntry> next = new ArrayList<>();
        while (next.size() < most && !found.isEmpty()) {
            next.add(found.remove());
        }
        return next;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }
}
