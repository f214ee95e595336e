package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.FreshnessMessage;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.ledger.Ledger;
import dev.sluice.replication.InSyncRecord;
import dev.sluice.replication.Member;
import dev.sluice.replication.Replica;
import dev.sluice.replication.ReplicationOutput;
import dev.sluice.replication.ReplicationStoredRecord;
import dev.sluice.replication.ReplicationTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing is decided by what is free unless the state is proved to be current. */
class StaleDecisionsTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Member SELF = new Member("gpu-webhook-0", "");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final Ledger ledger = new Ledger();
    private final LeaseGuard leaseGuard = new LeaseGuard(ledger, Optional.empty(), now::get, LIMIT);

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
        assertThat(leaseGuard.blockedBy()).isEmpty();

        now.set(NOON.plus(LIMIT).plusMillis(1));
        assertThat(leaseGuard.blockedBy())
                .isEqualTo("what is known of the nodes is 30 s old, and nothing is decided by what is older than 30 s");
    }

    @Test
    void podsAloneMayBeTooOld() {
        now.set(NOON.plusSeconds(45));
        tell(new NodeEvent.NodesSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(leaseGuard.blockedBy()).startsWith("what is known of the pods is 45 s old");

        tell(new PodEvent.PodsSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(leaseGuard.blockedBy()).as("without a restart").isEmpty();
    }

    @Test
    void nodesAloneMayBeTooOld() {
        now.set(NOON.plusSeconds(45));
        tell(new PodEvent.PodsSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(leaseGuard.blockedBy()).startsWith("what is known of the nodes is 45 s old");
    }

    @Test
    void aListThatMayBeOldTakesTheProofBack() {
        tell(new PodEvent.ListEnded(2, Instant.MIN));
        assertThat(leaseGuard.blockedBy()).isEqualTo("the pods have not been listed yet");

        tell(new PodEvent.PodsSyncedUpTo(NOON));
        tell(new NodeEvent.NodesSyncedUpTo(Instant.MIN));
        assertThat(leaseGuard.blockedBy()).isEqualTo("it is not proved that what is known of the nodes is current");
    }

    @Test
    void aFileIsCurrentByItsOwnRule() {
        now.set(NOON.plus(Duration.ofDays(9)));
        LeaseGuard ofFile = new LeaseGuard(ledger, Optional.empty(), now::get, FreshnessMessage.NO_LIMIT);
        assertThat(ofFile.blockedBy()).isEmpty();
    }

    private LeaseGuard guard(Replica<String> replica) {
        return new LeaseGuard(ledger, Optional.of(replica), now::get, LIMIT);
    }

    private long millis() {
        return now.get().toEpochMilli();
    }

    private static long request(List<ReplicationOutput<String>> outputs) {
        return switch (outputs.getFirst()) {
            case ReplicationOutput.ReadLease<String>(long number) -> number;
            case ReplicationOutput.WriteLease<String> write -> write.request();
            case ReplicationOutput<String> other -> throw new AssertionError(other);
        };
    }

    /** A replica that knows everything up to now and has just read this record. */
    private Replica<String> reading(Optional<ReplicationStoredRecord> record, List<ReplicationOutput<String>> then) {
        Replica<String> replica = new Replica<>(SELF, "cluster", ReplicationTimes.of(34_000));
        var _ = replica.watched(millis(), /* isCurrent= */ true, millis());
        then.addAll(replica.leaseRead(request(replica.tick(millis())), record, millis()));
        return replica;
    }

    private Replica<String> holding(Optional<ReplicationStoredRecord> record) {
        List<ReplicationOutput<String>> write = new ArrayList<>();
        Replica<String> replica = reading(record, write);
        if (record.isEmpty()) {
            replica.startedFirst();
        }
        var _ = replica.leaseWritten(request(write), "lease/2", millis());
        return replica;
    }

    private static ReplicationStoredRecord record(@Nullable Member holder) {
        return new ReplicationStoredRecord(
                "lease/1", new InSyncRecord(holder, 1, new TreeSet<>(), 1), /* intact= */ true);
    }

    @Test
    void whoDoesNotHoldTheLeaseSaysSoFirst() {
        now.set(NOON.plusSeconds(45));
        Replica<String> standby = reading(Optional.of(record(new Member("gpu-webhook-1", ""))), new ArrayList<>());
        assertThat(guard(standby).blockedBy()).isEqualTo("another replica decides: gpu-webhook-1");
    }

    /** Otherwise what the former holder gave to a pod that is not seen yet would be promised twice. */
    @Test
    void aNewHolderDecidesOnlyAfterItHasSeenWhatTheFormerMayHaveAdmitted() {
        Replica<String> holder = holding(Optional.of(record(/* holder= */ null)));
        Instant last = NOON.plus(Ledger.LONGEST_CREATE);
        assertThat(guard(holder).blockedBy())
                .isEqualTo("pods that the former holder admitted may not have been seen yet; it waits for those of"
                        + " before " + last);

        var _ = holder.watched(last.toEpochMilli(), /* isCurrent= */ true, millis());
        assertThat(guard(holder).blockedBy()).isEmpty();
    }

    @Test
    void aHolderWithoutAFormerOneDoesNotWait() {
        assertThat(guard(holding(Optional.empty())).blockedBy()).isEmpty();
    }

    @Test
    void aHolderDoesNotDecideAfterItsLeaseRanOut() {
        LeaseGuard holder = guard(holding(Optional.empty()));
        now.set(NOON.plusSeconds(10));
        assertThat(holder.blockedBy()).isEqualTo("the lease ran out");
    }

    /** Otherwise such a replica would take the lease over, and could not decide. */
    @Test
    void aReplicaWithOldDataIsNotCurrent() {
        assertThat(leaseGuard.isCurrent()).isTrue();

        now.set(NOON.plusSeconds(45));
        assertThat(leaseGuard.isCurrent()).isFalse();

        tell(new NodeEvent.NodesSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(leaseGuard.isCurrent()).as("the pods are still old").isFalse();

        tell(new PodEvent.PodsSyncedUpTo(NOON.plusSeconds(44)));
        assertThat(leaseGuard.isCurrent()).isTrue();
    }
}
