package dev.sluice.doctor;

import dev.sluice.doctor.ClusterDiagnosis.NodeReport;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Diagnoses a cluster: finds out why GPU pods do not run, and what is wrong with the nodes. */
public final class Diagnosis {

    private Diagnosis() {}

    public static ClusterDiagnosis of(ClusterFacts cluster) {
        return of(cluster, DiagnosisLimits.NONE);
    }

    public static ClusterDiagnosis of(ClusterFacts cluster, DiagnosisLimits limits) {
        return of(cluster, limits, LostClaimUsers.of(cluster));
    }

    /**
     * Diagnoses a cluster that is read repeatedly.
     *
     * @param lost the pods that will never use the devices of the claims that are reserved for them, for example
     *     because two consecutive readings did not find these pods
     */
    public static ClusterDiagnosis of(ClusterFacts cluster, DiagnosisLimits limits, LostClaimUsers lost) {
        return of(cluster, limits, lost, /* parts= */ 1, UnaryOperator.identity());
    }

    /**
     * Returns the same report as {@link #of(ClusterFacts, DiagnosisLimits)}, but judges the pods in several parts that
     * can run in parallel. The parts share no cache.
     *
     * @param limits the limits for each part
     * @param parts the number of parts, at least 1
     * @param runner a function that is applied to the stream of part numbers, for example {@code IntStream::parallel}
     */
    public static ClusterDiagnosis of(
            ClusterFacts cluster, DiagnosisLimits limits, int parts, UnaryOperator<IntStream> runner) {
        return of(cluster, limits, LostClaimUsers.of(cluster), parts, runner);
    }

    private static ClusterDiagnosis of(
            ClusterFacts cluster,
            DiagnosisLimits limits,
            LostClaimUsers lost,
            int parts,
            UnaryOperator<IntStream> runner) {
        List<DiagnosedNode> nodes = DiagnosedNode.of(cluster);
        List<UnreadObject> unchecked = unchecked(cluster);
        List<JudgedPart> judged = runner.apply(IntStream.range(0, parts))
                .mapToObj(part -> pods(cluster, new DemandDiagnosis(cluster, nodes, lost), nodes, limits, part, parts))
                .toList();
        List<PodDiagnosis> pods = judged.stream()
                .flatMap(part -> part.verdicts().stream())
                .sorted(Comparator.comparing(PodDiagnosis::namespace).thenComparing(PodDiagnosis::name))
                .toList();
        notJudged(judged).ifPresent(unchecked::add);
        RuleTime time = new RuleTime(limits);
        List<NodeReport> reports = nodes(cluster, nodes, time, unchecked);
        ResourceFaults faults = time.within(() -> ResourceFaults.of(cluster, nodes))
                .orElseGet(() -> {
                    unchecked.add(new UnreadObject(
                            ClusterFactKind.NODES.plural(),
                            "What their faults take away was not judged: it took too long."));
                    return ResourceFaults.NONE;
                });
        return new ClusterDiagnosis(pods, reports, faults, unchecked, cluster.has(ClusterFactKind.PODS));
    }

    /**
     * The result for one part of the pods.
     *
     * @param notJudged the number of pods and owners that were not judged, for each namespace
     */
    private record JudgedPart(List<PodDiagnosis> verdicts, Map<String, Long> notJudged) {}

    /** Returns the result for one part. The first part also judges the owners that cannot create their pods. */
    private static JudgedPart pods(
            ClusterFacts cluster,
            DemandDiagnosis asks,
            List<DiagnosedNode> nodes,
            DiagnosisLimits limits,
            int part,
            int parts) {
        Map<String, DiagnosedNode> byName = new HashMap<>();
        nodes.forEach(node -> byName.put(node.name(), node));
        PodDiagnoses pods = new PodDiagnoses(cluster, asks, byName);
        DiagnosisOrder turns = new DiagnosisOrder(limits);
        if (part == 0) {
            new OwnerVerdicts(cluster, asks, pods).addTo(turns);
        }
        cluster.pods().stream()
                .filter(pod -> partOf(pod.ask(), parts) == part)
                .filter(pods::isJudged)
                .forEach(pod -> turns.add(
                        pod.namespace(),
                        new DiagnosisOrder.Judged(() -> pods.of(pod), why -> pods.notJudged(pod, why))));
        return new JudgedPart(turns.judge(), turns.notJudged());
    }

    private static Optional<UnreadObject> notJudged(List<JudgedPart> parts) {
        Map<String, Long> byNamespace = new TreeMap<>();
        parts.forEach(
                part -> part.notJudged().forEach((namespace, pods) -> byNamespace.merge(namespace, pods, Long::sum)));
        long all = byNamespace.values().stream().mapToLong(Long::longValue).sum();
        return all == 0
                ? Optional.empty()
                : Optional.of(new UnreadObject(
                        ClusterFactKind.PODS.plural(),
                        all + " were not judged, because the rules took too long or the report became too large; they"
                                + " are of " + CountText.noun(byNamespace.size(), "namespace") + " "
                                + FirstFiveNames.of(byNamespace.keySet()) + ".",
                        "pods that were not judged",
                        all));
    }

    /**
     * Returns the number of the part in which the pod is judged. Pods with equal requests are in the same part, because
     * each part caches its answers.
     */
    private static int partOf(PodDemandFacts ask, int parts) {
        return Math.floorMod(Objects.hash(ask.requests(), ask.constraints()), parts);
    }

    private static List<NodeReport> nodes(
            ClusterFacts cluster, List<DiagnosedNode> nodes, RuleTime time, List<UnreadObject> unchecked) {
        NodeFindings findings = new NodeFindings(cluster, nodes);
        List<NodeReport> reports = new ArrayList<>();
        List<String> notJudged = new ArrayList<>();
        for (DiagnosedNode node : nodes) {
            time.within(() -> findings.of(node))
                    .ifPresentOrElse(
                            found -> {
                                if (!found.isEmpty()) {
                                    reports.add(new NodeReport(node.name(), found));
                                }
                            },
                            () -> notJudged.add(node.name()));
        }
        if (!notJudged.isEmpty()) {
            String names = FirstFiveNames.nodes(notJudged);
            unchecked.add(new UnreadObject(
                    ClusterFactKind.NODES.plural(),
                    "The rules took too long for " + names + ".",
                    names,
                    notJudged.size()));
        }
        return reports;
    }

    private static List<UnreadObject> unchecked(ClusterFacts cluster) {
        List<UnreadObject> unchecked = new ArrayList<>();
        for (ClusterFactKind kind : ClusterFactKind.values()) {
            if (!cluster.has(kind) && !kind.isOptional()) {
                String why = cluster.failures().getOrDefault(kind, UnreadObject.NOT_COLLECTED);
                unchecked.add(new UnreadObject(kind.plural(), why + ": " + kind.without() + "."));
            }
        }
        unchecked.addAll(cluster.unread());
        return unchecked;
    }
}
