package dev.sluice.lease;

import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.ledger.Ledger;
import java.time.Instant;

/** The decisions of the process that holds the lease, for who measures them without a bus. */
public final class OneHolder {

    private final ReservingDecisions decisions;
    private final ClusterSnapshot cluster;

    public OneHolder(Ledger ledger) {
        this.decisions = new ReservingDecisions(ledger, () -> Instant.EPOCH, (_, _, _) -> {});
        this.cluster = ledger.snapshot();
    }

    public Verdict decide(DecideRequest question) {
        return decisions.decide(question, cluster).verdict();
    }
}
