package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing is decided by what is free unless the state is proved to be current. */
class StaleDecisionsTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final Ledger ledger = new Ledger();
    private final LeaseGuard leaseGuard = new LeaseGuard(DecisionVerticle.OtherReplicas.NONE, now::get, LIMIT);

    @BeforeEach
    void listsEverything() {
        tell(new NodeEvent.NodesListed(List.of(), 1));
        tell(new NodeEvent.NodesSyncedUpTo(NOON));
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.ListEnded(1, NOON));
    }

    private void tell(ClusterEvent event) {
        var _ = ledger.apply(event);
    }

    @Test
    void theClockAtTheDecisionCounts() {
        now.set(NOON.plus(LIMIT));
        assertThat(leaseGuard.blockedBy(ledger)).isEmpty();

        now.set(NOON.plus(LIMIT).plusMillis(1));
        assertThat(leaseGuard.blockedBy(ledger))
                .isEqualTo("what is known of the nodes is 30 s old, and nothing is decided by what is older than 30 s");
    }

    @Test
    void podsAloneMayBeTooOld() {
        now.set(NOON.plusSeconds(45));
        tell(new NodeEvent.NodesSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(leaseGuard.blockedBy(ledger)).startsWith("what is known of the pods is 45 s old");

        tell(new PodEvent.PodsSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(leaseGuard.blockedBy(ledger)).as("without a restart").isEmpty();
    }

    @Test
    void nodesAloneMayBeTooOld() {
        now.set(NOON.plusSeconds(45));
        tell(new PodEvent.PodsSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(leaseGuard.blockedBy(ledger)).startsWith("what is known of the nodes is 45 s old");
    }

    @Test
    void aListThatMayBeOldTakesTheProofBack() {
        tell(new PodEvent.ListEnded(2, Instant.MIN));
        assertThat(leaseGuard.blockedBy(ledger)).isEqualTo("the pods have not been listed yet");

        tell(new PodEvent.PodsSyncedUpTo(NOON));
        tell(new NodeEvent.NodesSyncedUpTo(Instant.MIN));
        assertThat(leaseGuard.blockedBy(ledger))
                .isEqualTo("it is not proved that what is known of the nodes is current");
    }

    @Test
    void aFileIsCurrentByItsOwnRule() {
        now.set(NOON.plus(Duration.ofDays(9)));
        LeaseGuard ofFile = new LeaseGuard(DecisionVerticle.OtherReplicas.NONE, now::get, FreshnessMessage.NO_LIMIT);
        assertThat(ofFile.blockedBy(ledger)).isEmpty();
    }

    @Test
    void whoDoesNotHoldTheLeaseSaysSoFirst() {
        LeaseGuard standby = new LeaseGuard(DecisionVerticle.OtherReplicas.POSSIBLE, now::get, LIMIT);
        now.set(NOON.plusSeconds(45));
        standby.update(new LeaseStateMessage.Standby("gpu-webhook-1"));
        assertThat(standby.blockedBy(ledger)).isEqualTo("another replica decides: gpu-webhook-1");
    }

    /** Otherwise what the former holder gave to a pod that is not seen yet would be promised twice. */
    @Test
    void aNewHolderDecidesOnlyAfterItHasSeenWhatTheFormerMayHaveAdmitted() {
        Instant former = NOON.plusSeconds(5);
        Instant last = former.plus(Ledger.LONGEST_CREATE);
        LeaseGuard holder = new LeaseGuard(DecisionVerticle.OtherReplicas.POSSIBLE, now::get, LIMIT);
        holder.update(new LeaseStateMessage.Leading(former, former, Instant.MAX));
        now.set(last.plusSeconds(5));
        tell(new NodeEvent.NodesSyncedUpTo(last));

        tell(new PodEvent.PodsSyncedUpTo(last.minusMillis(1)));
        assertThat(holder.blockedBy(ledger))
                .isEqualTo("pods that the former holder admitted may not have been seen yet; it waits for those of"
                        + " before " + last);

        tell(new PodEvent.PodsSyncedUpTo(last));
        assertThat(holder.blockedBy(ledger)).isEmpty();
    }

    @Test
    void aHolderWithoutAFormerOneDoesNotWait() {
        LeaseGuard holder = new LeaseGuard(DecisionVerticle.OtherReplicas.POSSIBLE, now::get, LIMIT);
        holder.update(new LeaseStateMessage.Leading(Instant.MIN, Instant.MAX, Instant.MAX));

        assertThat(holder.blockedBy(ledger)).isEmpty();
    }

    @Test
    void aHolderDoesNotDecideAfterItsLeaseRanOut() {
        LeaseGuard holder = new LeaseGuard(DecisionVerticle.OtherReplicas.POSSIBLE, now::get, LIMIT);
        holder.update(new LeaseStateMessage.Leading(Instant.MIN, Instant.MAX, NOON.plusSeconds(10)));

        now.set(NOON.plusSeconds(10));
        assertThat(holder.blockedBy(ledger)).isEqualTo("the lease ran out");
    }

    /** A rollout would hand the lease to a replica that then could not decide. */
    @Test
    void aStandbyWithOldDataCouldNotDecide() {
        LeaseGuard standby = new LeaseGuard(DecisionVerticle.OtherReplicas.POSSIBLE, now::get, LIMIT);
        assertThat(standby.fitness(ledger).able()).isTrue();

        now.set(NOON.plusSeconds(45));
        assertThat(standby.fitness(ledger).able()).isFalse();

        tell(new NodeEvent.NodesSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(standby.fitness(ledger).able()).as("the pods are still old").isFalse();

        tell(new PodEvent.PodsSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(standby.fitness(ledger).able()).isTrue();
    }
}
