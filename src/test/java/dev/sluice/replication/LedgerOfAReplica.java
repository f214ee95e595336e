package dev.sluice.replication;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.LedgerNodeUsage;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.replication.SimulatedApiServer.PodChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The ledger of a gateway, with one node. */
final class LedgerOfAReplica implements SimulatedLedger {

    private static final String NODE = "n";
    private static final String NAMESPACE = "team";

    private final Ledger ledger = new Ledger(Duration.ofMillis(Simulation.TIMES.longestCreate()));

    LedgerOfAReplica() {
        Amounts offered = gpus(SimulatedReplica.DEVICES).plus(Amounts.of(ResourceName.PODS, 110));
        Node node = new Node(NODE, Map.of(), List.of(), /* unschedulable= */ false, offered, offered, 1);
        var _ = ledger.apply(new NodeEvent.NodesListed(List.of(node), 1));
        var _ = ledger.apply(new PodEvent.ListEnded(1, Instant.EPOCH));
    }

    private static Amounts gpus(long count) {
        return Amounts.of(ResourceName.NVIDIA_GPU, count);
    }

    private static PlacementRequest placement(String stamp, int need) {
        return new PlacementRequest(stamp, NAMESPACE, gpus(need), NodeConstraints.NONE, /* promised= */ true);
    }

    @Override
    public boolean reserve(String stamp, String older, int need, long now) {
        Instant time = Instant.ofEpochMilli(now);
        boolean reserves = ledger.decideAnew(
                older,
                time,
                () -> {
                    boolean free = ledger.isFree(gpus(need), NodeConstraints.NONE);
                    return free
                            && ledger.assume(placement(stamp, need), time)
                                    .notReserved()
                                    .isEmpty();
                },
                reserved -> reserved);
        if (reserves && !older.isEmpty()) {
            ledger.replaced(older, stamp);
        }
        return reserves;
    }

    @Override
    public void follow(ReplicatedEntry<Integer> entry, List<ReplicatedEntry<Integer>> replaced, long now) {
        replaced.stream().filter(old -> !old.stamp().equals(entry.stamp())).forEach(old -> {
            ledger.forget(old.stamp());
            ledger.replaced(old.stamp(), entry.stamp());
        });
        ledger.assumeAsDecided(placement(entry.stamp(), entry.change()), List.of(), Instant.ofEpochMilli(now));
    }

    @Override
    public void forget(String stamp) {
        ledger.forget(stamp);
    }

    @Override
    public void see(PodChange change, long number) {
        PodId id = PodId.of(change.uid());
        String name = NAMESPACE + "/" + change.uid();
        var _ = ledger.apply(
                change.stored()
                        ? new PodEvent.PodSeen(new Pod(
                                id, name, new Pod.Place.Bound(NODE), gpus(change.need()), change.stamp(), 2 + number))
                        : new PodEvent.PodRemoved(id, name, change.stamp(), 2 + number));
    }

    @Override
    public List<String> watched(long upTo) {
        List<String> expired = new ArrayList<>(0);
        ledger.onExpiry((stamp, _) -> expired.add(stamp));
        var _ = ledger.apply(new PodEvent.PodsSyncedUpTo(Instant.ofEpochMilli(upTo)));
        return expired;
    }

    @Override
    public boolean isReserved(String stamp) {
        return ledger.isAssumed(stamp, NAMESPACE);
    }

    @Override
    public long used() {
        return ledger.usage().values().stream()
                .mapToLong(node -> node.allocated().get(ResourceName.NVIDIA_GPU)
                        + node.reserved().get(ResourceName.NVIDIA_GPU))
                .sum();
    }

    @Override
    public String state() {
        LedgerNodeUsage node = Objects.requireNonNull(ledger.usage().get(NODE));
        return "reserved " + node.reserved().get(ResourceName.NVIDIA_GPU) + " allocated "
                + node.allocated().get(ResourceName.NVIDIA_GPU);
    }
}
