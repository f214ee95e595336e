package dev.sluice.api;

import dev.sluice.record.DecisionRecord;
import dev.sluice.record.NumberedDecisionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Keeps the newest {@link #MOST} decisions. It is not thread-safe. */
final class RecentDecisionRecords {

    /**
     * The maximum number of decisions that are kept. A decision takes less than 1 KiB in most cases, and at most 15
     * KiB.
     */
    static final int MOST = 1_000;

    private final NumberedDecisionRecord[] ring = new NumberedDecisionRecord[MOST];
    private long added;

    NumberedDecisionRecord add(DecisionRecord decision) {
        NumberedDecisionRecord kept = new NumberedDecisionRecord(added + 1, decision);
        ring[(int) (added % MOST)] = kept;
        added++;
        return kept;
    }

    /** Returns how many decisions were added since the start of the process. */
    long total() {
        return added;
    }

    /** Returns the newest {@code limit} selected decisions, the newest one first. */
    List<NumberedDecisionRecord> find(Predicate<DecisionRecord> wanted, int limit) {
        List<NumberedDecisionRecord> found = new ArrayList<>();
        for (long at = added - 1; at >= Math.max(0, added - MOST) && found.size() < limit; at--) {
            NumberedDecisionRecord kept = ring[(int) (at % MOST)];
            if (wanted.test(kept.decision())) {
                found.add(kept);
            }
        }
        return found;
    }
}
