package dev.sluice.doctor;

import dev.sluice.doctor.ClusterReport.NodeReport;
import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.doctor.facts.FactKind;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Diagnoses a cluster: finds out why GPU pods do not run, and what is wrong with the nodes. */
public final class Diagnosis {

    private Diagnosis() {}

    public static ClusterReport of(ClusterFacts cluster) {
        return of(cluster, /* parts= */ 1, UnaryOperator.identity());
    }

    /**
     * Returns the same report as {@link #of(ClusterFacts)}, but judges the pods in several parts that can run in
     * parallel. The parts share no cache.
     *
     * @param parts the number of parts, at least 1
     * @param runner turns the stream of part numbers into the stream to use, for example {@code IntStream::parallel}
     */
    public static ClusterReport of(ClusterFacts cluster, int parts, UnaryOperator<IntStream> runner) {
        List<NodeStudy> nodes = NodeStudy.of(cluster);
        List<PodVerdict> pods = runner.apply(IntStream.range(0, parts))
                .mapToObj(part -> pods(cluster, nodes, part, parts))
                .flatMap(List::stream)
                .sorted(Comparator.comparing(PodVerdict::namespace).thenComparing(PodVerdict::name))
                .toList();
        return new ClusterReport(
                pods,
                nodes(cluster, nodes),
                ResourceFaults.of(cluster, nodes),
                unchecked(cluster),
                cluster.has(FactKind.PODS));
    }

    /** Returns the verdicts of one part. The first part also judges the owners that cannot create their pods. */
    private static List<PodVerdict> pods(ClusterFacts cluster, List<NodeStudy> nodes, int part, int parts) {
        Map<String, NodeStudy> byName = new HashMap<>();
        nodes.forEach(node -> byName.put(node.name(), node));
        DemandVerdicts asks = new DemandVerdicts(cluster, nodes);
        PodVerdicts pods = new PodVerdicts(cluster, asks, byName);
        List<PodVerdict> verdicts = new ArrayList<>();
        if (part == 0) {
            verdicts.addAll(new OwnerVerdicts(cluster, asks, pods).all());
        }
        cluster.pods().stream()
                .filter(pod -> partOf(pod.ask(), parts) == part)
                .forEach(pod -> pods.of(pod).ifPresent(verdicts::add));
        return verdicts;
    }

    /**
     * Returns the number of the part for a pod. Pods with equal requests are in the same part, because each part caches
     * its answers.
     */
    private static int partOf(PodGpuDemand ask, int parts) {
        return Math.floorMod(Objects.hash(ask.requests(), ask.constraints()), parts);
    }

    private static List<NodeReport> nodes(ClusterFacts cluster, List<NodeStudy> nodes) {
        NodeFindings findings = new NodeFindings(cluster, nodes);
        List<NodeReport> reports = new ArrayList<>();
        for (NodeStudy node : nodes) {
            List<Finding> found = findings.of(node);
            if (!found.isEmpty()) {
                reports.add(new NodeReport(node.name(), found));
            }
        }
        return reports;
    }

    private static List<UnreadObject> unchecked(ClusterFacts cluster) {
        List<UnreadObject> unchecked = new ArrayList<>();
        for (FactKind kind : FactKind.values()) {
            if (!cluster.has(kind) && !kind.isForReports()) {
                String why = cluster.failures().getOrDefault(kind, UnreadObject.NOT_COLLECTED);
                unchecked.add(new UnreadObject(kind.plural(), why + ": " + kind.without() + "."));
            }
        }
        unchecked.addAll(cluster.unread());
        return unchecked;
    }
}
