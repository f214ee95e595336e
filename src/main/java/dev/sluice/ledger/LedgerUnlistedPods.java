package dev.sluice.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Finds the pods that a list did not contain, in small steps. Between the steps of the search, no entry may be added or
 * removed.
 */
final class LedgerUnlistedPods {

    private final LedgerPodTable entries;
    private final int list;
    private final Queue<LedgerPodEntry> found = new ArrayDeque<>();
    private int nextSlot;

    LedgerUnlistedPods(LedgerPodTable entries, int list) {
        this.entries = entries;
        this.list = list;
    }

    /**
     * Searches the next {@code slots} slots of the table of pods. Returns true once the whole table has been searched.
     */
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

    /** Removes and returns the next pods that were found, at most {@code most}; empty if none is left. */
    List<LedgerPodEntry> next(int most) {
        List<LedgerPodEntry> next = new ArrayList<>();
        while (next.size() < most && !found.isEmpty()) {
            next.add(found.remove());
        }
        return next;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }
}
