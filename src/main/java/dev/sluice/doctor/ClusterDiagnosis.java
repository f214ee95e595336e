package dev.sluice.doctor;

import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds the complete result of a diagnosis.
 *
 * @param pods the verdicts, sorted by namespace and name of the pod
 * @param nodes the nodes with at least one finding, sorted by name
 * @param faults the explanations for resources that nodes do not offer in full
 * @param unchecked the kinds that were not collected and the objects that could not be read, each with the consequence
 *     for the report
 * @param podsKnown false if pods were not collected; {@code pods} then contains only owners that cannot create pods
 */
public record ClusterDiagnosis(
        List<PodDiagnosis> pods,
        List<NodeReport> nodes,
        ResourceFaults faults,
        List<UnreadObject> unchecked,
        boolean podsKnown) {

    /** Holds the findings on one node, in the order of their codes. */
    public record NodeReport(String name, List<Finding> findings) {}

    /**
     * Returns the kinds whose objects could not all be read, sorted. If a kind was not collected at all, it is included
     * only if it is nodes or pods, because many clusters lack some of the other kinds.
     */
    public List<String> unread() {
        return missing().keySet().stream().toList();
    }

    /**
     * Returns the same kinds as {@link #unread}. If the number of unread objects is known, it comes before the kind,
     * for example {@code 3 pods}.
     */
    public List<String> countedUnread() {
        return missing().entrySet().stream()
                .map(kind -> counted(kind.getValue(), kind.getKey()))
                .toList();
    }

    private static String counted(long objects, String plural) {
        if (objects == 0) {
            return plural;
        }
        int ending = plural.endsWith("sses") ? "es".length() : "s".length();
        return objects + " " + (objects == 1 ? plural.substring(0, plural.length() - ending) : plural);
    }

    private Map<String, Long> missing() {
        Map<String, Long> missing = new TreeMap<>();
        unchecked.stream()
                .filter(it -> !it.why().startsWith(UnreadObject.NOT_SERVED))
                .filter(it -> !it.why().startsWith(UnreadObject.NOT_COLLECTED) || isNeeded(it.plural()))
                .forEach(it -> missing.merge(it.plural(), it.objects(), Long::sum));
        return missing;
    }

    /** Returns true for nodes and pods. Every cluster has nodes and pods, so an input without them is incomplete. */
    private static boolean isNeeded(String plural) {
        return plural.equals(ClusterFactKind.NODES.plural()) || plural.equals(ClusterFactKind.PODS.plural());
    }

    /** Returns the findings that are faults, in the order of the nodes. Nodes with the same fault share a finding. */
    public List<Finding> nodeFaults() {
        Map<Finding, List<FoundOnNode>> like = foundFaults()
                .collect(Collectors.groupingBy(FoundOnNode::withoutNames, LinkedHashMap::new, Collectors.toList()));
        return like.values().stream()
                .map(found -> {
                    Finding first = found.getFirst().finding();
                    return new Finding(
                            first.code(),
                            LikeNodes.sentences(
                                    first.explanation(),
                                    found.stream()
                                            .skip(1)
                                            .map(FoundOnNode::node)
                                            .toList()));
                })
                .toList();
    }

    /** A fault, and the name of its node. */
    private record FoundOnNode(String node, Finding finding) {

        Finding withoutNames() {
            return new Finding(finding.code(), LikeNodes.withoutNames(finding.explanation(), node));
        }
    }

    private Stream<FoundOnNode> foundFaults() {
        return nodes.stream()
                .flatMap(node -> node.findings().stream()
                        .filter(finding -> finding.code().isFault())
                        .map(finding -> new FoundOnNode(node.name(), finding)));
    }

    /** Maps each kind of finding that is not a fault to the names of the nodes that have this finding. */
    public SortedMap<FindingCode, List<String>> otherNodeFindings() {
        SortedMap<FindingCode, List<String>> others = new TreeMap<>();
        for (NodeReport node : nodes) {
            for (Finding finding : node.findings()) {
                if (!finding.code().isFault()) {
                    others.computeIfAbsent(finding.code(), _ -> new ArrayList<>())
                            .add(node.name());
                }
            }
        }
        return others;
    }

    /** Returns true if a finding on some node is a fault. */
    public boolean hasFault() {
        return foundFaults().findAny().isPresent();
    }

    /**
     * Returns true if an operator has to act. That is the case if a node has a fault, if a pod cannot run until
     * somebody removes the cause, if a pod could not be judged, or if objects could not be read.
     */
    public boolean needsAttention() {
        return hasFault()
                || DiagnosisGroup.lasting(pods) > 0
                || DiagnosisGroup.unknown(pods) > 0
                || !unread().isEmpty();
    }
}
