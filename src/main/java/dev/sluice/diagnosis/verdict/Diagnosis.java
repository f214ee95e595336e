package dev.sluice.diagnosis.verdict;

import dev.sluice.diagnosis.cause.ResourceFaults;
import dev.sluice.diagnosis.facts.ClusterFacts;
import dev.sluice.diagnosis.facts.ClusterFacts.UnreadObject;
import dev.sluice.diagnosis.facts.FactKind;
import dev.sluice.diagnosis.node.NodeFindings;
import dev.sluice.diagnosis.node.NodeFindings.Finding;
import dev.sluice.diagnosis.node.NodeStudy;
import dev.sluice.diagnosis.verdict.ClusterReport.NodeReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** From the facts of a cluster to what is wrong with its GPU pods and its nodes. */
public final class Diagnosis {

    private Diagnosis() {}

    public static ClusterReport of(ClusterFacts cluster) {
        List<NodeStudy> nodes = NodeStudy.of(cluster);
        return new ClusterReport(
                pods(cluster, nodes), nodes(cluster, nodes), ResourceFaults.of(cluster, nodes), unchecked(cluster));
    }

    private static List<PodVerdict> pods(ClusterFacts cluster, List<NodeStudy> nodes) {
        Map<String, NodeStudy> byName = new HashMap<>();
        nodes.forEach(node -> byName.put(node.name(), node));
        AskVerdicts asks = new AskVerdicts(cluster, nodes);
        PodVerdicts pods = new PodVerdicts(cluster, asks, byName);
        List<PodVerdict> verdicts = new ArrayList<>(new OwnerVerdicts(cluster, asks, pods).all());
        cluster.pods().forEach(pod -> pods.of(pod).ifPresent(verdicts::add));
        verdicts.sort(Comparator.comparing(PodVerdict::namespace).thenComparing(PodVerdict::name));
        return verdicts;
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
                String why = cluster.failures().getOrDefault(kind, "No object was collected");
                unchecked.add(new UnreadObject(kind.plural(), why + ": " + kind.without() + "."));
            }
        }
        unchecked.addAll(cluster.unread());
        return unchecked;
    }
}
