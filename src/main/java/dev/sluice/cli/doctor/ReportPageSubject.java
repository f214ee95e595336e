package dev.sluice.cli.doctor;

import dev.sluice.api.AllocationReport;
import dev.sluice.api.AllocationReport.AllocationEntry;
import dev.sluice.api.AllocationReport.By;
import dev.sluice.api.CapacityReport;
import dev.sluice.api.CapacityReport.Amount;
import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.api.CapacityReport.NodeAmounts;
import dev.sluice.api.CapacityReport.Selection;
import dev.sluice.api.ClusterContents;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.Pod.Place;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.DiagnosedNode;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.ledger.Ledger;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The data of a report.
 *
 * @param gpuNodes the nodes with GPUs or GPU resources, sorted by name
 * @param capacity the devices, counted in the same way as by {@code sluice capacity}
 * @param closed the nodes that are cordoned or not ready
 */
record ReportPageSubject(
        ClusterFacts facts,
        ClusterDiagnosis verdicts,
        List<DiagnosedNode> gpuNodes,
        CapacityReport capacity,
        AllocationReport allocation,
        Set<String> closed) {

    private static final Amounts ONE_POD = Amounts.of(ResourceName.PODS, 1);
    private static final Selection DEVICES = new Selection(_ -> true, ResourceName::isExtended);

    static ReportPageSubject of(ClusterFacts facts, ClusterDiagnosis verdicts) {
        ClusterContents contents = contents(facts);
        Ledger ledger = contents.ledger();
        ClusterUse use = facts.has(ClusterFactKind.PODS)
                ? new ClusterUse.UseKnown(ledger.usage(), ledger.unplaced())
                : new ClusterUse.UseUnknown();
        return new ReportPageSubject(
                facts,
                verdicts,
                DiagnosedNode.of(facts).stream()
                        .filter(ReportPageSubject::hasGpu)
                        .toList(),
                CapacityReport.of(ledger.snapshot(), use, DEVICES),
                AllocationReport.of(
                        contents.nodes(), contents.pods(), new Selection(_ -> true, GpuVendor::isGpu), By.NAMESPACE),
                facts.nodes().stream()
                        .filter(node ->
                                node.node().unschedulable() || node.ready().isNotTrue())
                        .map(NodeFacts::name)
                        .collect(Collectors.toSet()));
    }

    /**
     * The devices of one resource that new pods can use now.
     *
     * @param amount the number of free devices on all nodes that are not closed
     * @param closed the number of free devices on closed nodes, which are cordoned or not ready
     * @param largest the largest number of free devices on one node that is not closed
     */
    record AvailableDevices(long amount, long closed, long largest) {

        private AvailableDevices plus(long more, boolean open) {
            return open
                    ? new AvailableDevices(Amounts.saturatedSum(amount, more), closed, Math.max(largest, more))
                    : new AvailableDevices(amount, Amounts.saturatedSum(closed, more), largest);
        }
    }

    /**
     * Returns the free devices of a resource that new pods can use. Devices of nodes that are cordoned or not ready are
     * counted separately.
     */
    AvailableDevices available(ResourceName resource) {
        AvailableDevices found = new AvailableDevices(0, 0, 0);
        for (NodeAmounts node : capacity.nodes()) {
            for (Amount amount : node.amounts()) {
                if (amount.resource().equals(resource)) {
                    found = found.plus(amount.available(), !isClosed(node.node()));
                }
            }
        }
        return found;
    }

    /** Returns true if the node is cordoned or not ready, so that no new pod is bound to it. */
    boolean isClosed(String node) {
        return closed.contains(node);
    }

    /** Returns the amount of a resource that is requested by pods without a node. */
    long waiting(ResourceName resource) {
        return allocation.entries().stream()
                .filter(entry -> entry.resource().equals(resource))
                .mapToLong(AllocationEntry::waiting)
                .reduce(0, Amounts::saturatedSum);
    }

    private static boolean hasGpu(DiagnosedNode node) {
        Node facts = node.facts().node();
        return !node.hardware().isEmpty()
                || node.managedByDra()
                || !GpuVendor.gpus(facts.capacity()).isEmpty();
    }

    private static ClusterContents contents(ClusterFacts facts) {
        return new ClusterContents(
                facts.nodes().stream().map(NodeFacts::node).toList(),
                facts.pods().stream()
                        .filter(pod -> !pod.hasEnded())
                        .map(ReportPageSubject::pod)
                        .toList(),
                LeftOut.NOTHING,
                facts.dra().state());
    }

    private static Pod pod(PodFacts pod) {
        String namespace = pod.namespace().isEmpty() ? "default" : pod.namespace();
        String name = namespace + "/" + pod.name();
        return new Pod(
                PodId.of(pod.uid().isEmpty() ? name : pod.uid()),
                name,
                place(pod),
                pod.ask().requests().plus(ONE_POD),
                "",
                0);
    }

    /** Returns the {@link Place} of the pod, by the same rules as the gateway. */
    private static Place place(PodFacts pod) {
        if (pod.isBound()) {
            return new Place.Bound(pod.nodeName());
        }
        if (!pod.ask().gates().isEmpty()) {
            return new Place.Gated();
        }
        return pod.ask().constraints().whyNotEvaluated().isPresent()
                ? new Place.UnknownPlace()
                : new Place.Unbound(
                        pod.ask().constraints(), pod.nominatedNode().isEmpty() ? null : pod.nominatedNode());
    }
}
