package dev.sluice.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The last {@link #MOST} decisions. Has one owner. */
public final class RecentDecisions {

    /** A record has less than 1 KiB, and 15 KiB at worst. */
    public static final int MOST = 1_000;

    private final KeptDecision[] ring = new KeptDecision[MOST];
    private long added;

    public KeptDecision add(DecisionRecord decision) {
        KeptDecision kept = new KeptDecision(added + 1, decision);
        ring[(int) (added % MOST)] = kept;
        added++;
        return kept;
    }

    /** How many decisions there were since the start. */
    public long total() {
        return added;
    }

    /** The decisions that are wanted, the newest first. */
    public List<KeptDecision> find(Predicate<DecisionRecord> wanted, int limit) {
        List<KeptDecision> found = new ArrayList<>();
        for (long at = added - 1; at >= Math.max(0, added - MOST) && found.size() < limit; at--) {
            KeptDecision kept = ring[(int) (at % MOST)];
            if (wanted.test(kept.decision())) {
                found.add(kept);
            }
        }
        return found;
    }

    /** The last decision about the review with this uid. */
    public Optional<KeptDecision> byUid(String uid) {
        return find(decision -> decision.pod().head().uid().equals(uid), 1).stream()
                .findFirst();
    }
}
