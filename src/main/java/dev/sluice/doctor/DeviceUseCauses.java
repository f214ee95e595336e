package dev.sluice.doctor;

import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosedRepairSearch.ChosenPath;
import dev.sluice.doctor.DiagnosedRepairSearch.Question;
import dev.sluice.doctor.DiagnosedSupply.ResourceSupply;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.PodState;
import dev.sluice.text.FirstFiveNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the causes for a pod that waits for devices in use. The texts name the pods that use these devices. */
final class DeviceUseCauses {

    private static final int MOST_EVIDENCE = 5;

    /**
     * Limits how long a pod may exist after the grace period of its deletion. The kubelet kills the containers at the
     * end of that period, and needs a moment to clean up.
     */
    private static final Duration LONGEST_END = Duration.ofMinutes(5);

    private DeviceUseCauses() {}

    static DiagnosisCause held(ChosenPath chosen, Question question, ClusterFacts cluster) {
        List<DiagnosedNode> nodes = chosen.equal().stream()
                .filter(path -> path.obstacles().stream().anyMatch(PodObstacle.DevicesInUse.class::isInstance))
                .map(NodeObstacles::node)
                .distinct()
                .sorted(Comparator.comparing(it -> !it.name().equals(question.nominated())))
                .toList();
        DiagnosedNode node = nodes.getFirst();
        List<PodFacts> leaving = DiagnosedRepairCauses.holders(node, question).stream()
                .filter(pod -> pod.state().terminating())
                .toList();
        String text = "On node " + node.name() + " the devices are held by terminating pods: "
                + FirstFiveNames.of(leaving.stream()
                        .map(pod -> pod.fullName() + leaving(pod, cluster))
                        .toList())
                + "."
                + (node.facts().ready().isNotTrue()
                        ? " Node " + node.name() + " is not ready, so its kubelet does not confirm their end."
                        : "")
                + others(nodes) + nomination(question);
        List<Evidence> evidence = new ArrayList<>();
        question.gpus()
                .forEach((resource, _) ->
                        evidence.add(new Evidence("Node", node.name(), numbers(node, resource, question))));
        leaving.forEach(pod -> evidence.add(
                new Evidence("Pod", pod.fullName(), "terminating on " + node.name() + leaving(pod, cluster))));
        return new DiagnosisCause(DiagnosisCode.HELD_BY_TERMINATING, text, evidence);
    }

    /**
     * Returns, in parentheses, what delays the end of a pod that is being deleted: its finalizers, and for how long the
     * end is overdue. Returns an empty text if nothing delays it.
     */
    static String leaving(PodFacts pod, ClusterFacts cluster) {
        String text = finalizers(pod) + late(pod, cluster);
        return text.isEmpty() ? "" : " (" + text + ")";
    }

    private static String finalizers(PodFacts pod) {
        List<String> finalizers = pod.state().finalizers();
        return finalizers.isEmpty() ? "" : "finalizers " + String.join(", ", finalizers);
    }

    /** Returns a clause about a pod whose deletion is overdue; empty if the pod may still end by itself. */
    static String late(PodFacts pod, ClusterFacts cluster) {
        Instant endsBy = pod.state().endsBy();
        Instant now = cluster.time();
        return endsBy == null || now == null || cluster.isWithin(endsBy, LONGEST_END)
                ? ""
                : (pod.state().finalizers().isEmpty() ? "" : ", ") + "it " + Evidence.STUCK
                        + ": its grace period ended "
                        + Duration.between(endsBy, now).toMinutes() + " minutes ago";
    }

    private static String others(List<DiagnosedNode> nodes) {
        return nodes.size() == 1
                ? ""
                : " The same holds for "
                        + FirstFiveNames.nodes(
                                nodes.stream().skip(1).map(DiagnosedNode::name).toList()) + ".";
    }

    private static String nomination(Question question) {
        return question.nominated().isEmpty()
                ? ""
                : " Preemption runs: the pod is nominated to node " + question.nominated() + ".";
    }

    static DiagnosisCause fragmented(ChosenPath chosen, Question question) {
        String text = chosen.supply().resources().stream()
                .map(supply -> supply.resource() + ": "
                        + question.ask().requests().get(supply.resource()) + " requested; " + supply.free()
                        + " are free in sum, but no node has as many: the most are " + supply.largestFree()
                        + " on node " + supply.largestOn())
                .collect(Collectors.joining("; "));
        return new DiagnosisCause(DiagnosisCode.FRAGMENTED, text + ".", supplies(chosen, question));
    }

    static DiagnosisCause used(ChosenPath chosen, Question question, ClusterFacts cluster, LostClaimUsers lost) {
        List<DiagnosedNode> nodes = chosen.supply().nodes().isEmpty()
                ? chosen.equal().stream().map(NodeObstacles::node).distinct().toList()
                : chosen.supply().nodes();
        String sums = chosen.supply().resources().stream()
                .map(supply -> supply.resource() + ": "
                        + question.ask().requests().get(supply.resource()) + " requested, " + supply.allocatable()
                        + " allocatable and " + supply.used() + " used in total"
                        + (supply.free() == 0
                                ? ""
                                : ", the most free on one node are " + supply.largestFree() + " on node "
                                        + supply.largestOn()))
                .collect(Collectors.joining("; "));
        List<ResourceSupply> supplies = chosen.supply().resources();
        boolean noneFree = supplies.stream().allMatch(supply -> supply.free() == 0);
        List<DiagnosedNode> tooFew = noneFree
                ? nodes
                : nodes.stream()
                        .filter(node -> !hasEnough(node, supplies, question))
                        .toList();
        String lead = noneFree
                ? "All devices are in use on "
                : tooFew.size() == nodes.size()
                        ? "Not enough devices are free on "
                        : "Where enough devices are free, something else keeps the pod off;"
                                + " too few are free on the others: ";
        String text = lead
                + FirstFiveNames.nodes(tooFew.stream().map(DiagnosedNode::name).toList())
                + (sums.isEmpty() ? "" : " (" + sums + ")")
                + ", held by " + FirstFiveNames.of(holders(tooFew, question, cluster)) + "."
                + idle(tooFew, question) + byClaims(tooFew, question);
        List<Evidence> evidence = new ArrayList<>(supplies(chosen, question));
        List<ResourceClaim> claims = tooFew.stream()
                .filter(node -> isByClaims(node, question))
                .flatMap(node -> node.claims().stream())
                .distinct()
                .toList();
        String kept = lost.sentence(claims, evidence);
        return new DiagnosisCause(DiagnosisCode.ALL_USED, text + kept, evidence);
    }

    private static boolean hasEnough(DiagnosedNode node, List<ResourceSupply> supplies, Question question) {
        return supplies.stream()
                .map(ResourceSupply::resource)
                .allMatch(resource -> node.allocatable(resource) - node.use().of(resource, question.asker())
                        >= question.ask().requests().get(resource));
    }

    private static List<String> holders(List<DiagnosedNode> nodes, Question question, ClusterFacts cluster) {
        List<String> pods = new ArrayList<>();
        for (DiagnosedNode node : nodes) {
            String where = node.facts().ready().isNotTrue() ? ", and node " + node.name() + " is not ready" : "";
            DiagnosedRepairCauses.holders(node, question).forEach(pod -> {
                String late = pod.state().terminating() ? late(pod, cluster) : "";
                pods.add(pod.fullName() + (late.isEmpty() ? "" : " (" + late + where + ")"));
            });
            nominated(node, question).forEach(pod -> pods.add(pod.fullName() + " (nominated)"));
            if (isByClaims(node, question)) {
                pods.addAll(DiagnosedDeviceClass.holders(node.claims()));
            }
        }
        return pods;
    }

    /**
     * Returns a sentence about the pods that hold devices although their containers have failed or ended; empty if
     * there are no such pods.
     */
    private static String idle(List<DiagnosedNode> nodes, Question question) {
        List<String> idle = nodes.stream()
                .flatMap(node -> DiagnosedRepairCauses.holders(node, question).stream())
                .filter(pod -> !pod.state().terminating())
                .filter(pod -> ContainerStartRule.hasStopped(pod)
                        || pod.state().trouble().startsWith(PodState.LINGERS))
                .map(pod -> pod.fullName() + " (" + pod.state().trouble() + ")")
                .toList();
        return idle.isEmpty()
                ? ""
                : " Of these, " + FirstFiveNames.of(idle) + (idle.size() == 1 ? " holds its" : " hold their")
                        + " devices although no container runs with them.";
    }

    private static boolean isByClaims(DiagnosedNode node, Question question) {
        return question.gpus().anyMatch((resource, _) -> node.facts().node().claims(resource));
    }

    /** Returns a sentence about the nodes on which DRA allocates the devices; empty if there is no such node. */
    private static String byClaims(List<DiagnosedNode> nodes, Question question) {
        List<String> names = nodes.stream()
                .filter(node -> isByClaims(node, question))
                .map(DiagnosedNode::name)
                .toList();
        return names.isEmpty()
                ? ""
                : " Dynamic resource allocation hands them out on " + FirstFiveNames.nodes(names)
                        + ", so explicit claims count, too.";
    }

    /**
     * Returns the nominated pods that request the same devices and have at least the priority of the diagnosed pod. The
     * scheduler reserves devices of the node for them.
     */
    private static Stream<PodFacts> nominated(DiagnosedNode node, Question question) {
        return node.use().nominatedBefore(question.asker()).stream()
                .filter(pod -> DiagnosedRepairCauses.holds(pod, question));
    }

    /** Returns evidence about the first five nodes: the number of devices of each node, and the pods that use them. */
    private static List<Evidence> supplies(ChosenPath chosen, Question question) {
        List<Evidence> evidence = new ArrayList<>();
        List<ResourceSupply> supplies = chosen.supply().resources();
        Predicate<DiagnosedNode> hasTheMost =
                node -> supplies.stream().anyMatch(supply -> supply.largestOn().equals(node.name()));
        Predicate<DiagnosedNode> offers =
                node -> supplies.stream().anyMatch(supply -> node.allocatable(supply.resource()) > 0);
        List<DiagnosedNode> nodes = chosen.supply().nodes();
        boolean anyOffers = nodes.stream().anyMatch(offers);
        Stream<DiagnosedNode> told = nodes.stream()
                .filter(node -> !anyOffers || offers.test(node))
                .sorted(Comparator.comparing(node -> !hasTheMost.test(node)));
        told.limit(MOST_EVIDENCE).forEach(node -> {
            for (ResourceSupply supply : chosen.supply().resources()) {
                evidence.add(new Evidence("Node", node.name(), numbers(node, supply.resource(), question)));
            }
            DiagnosedRepairCauses.holders(node, question).stream()
                    .limit(MOST_EVIDENCE)
                    .forEach(pod ->
                            evidence.add(new Evidence("Pod", pod.fullName(), "holds devices of " + node.name())));
            if (isByClaims(node, question)) {
                node.claims().stream()
                        .limit(MOST_EVIDENCE)
                        .forEach(claim -> evidence.add(new Evidence(
                                "ResourceClaim",
                                claim.namespace() + "/" + claim.name(),
                                "has devices of " + node.name())));
            }
            nominated(node, question)
                    .limit(MOST_EVIDENCE)
                    .forEach(pod -> evidence.add(new Evidence("Pod", pod.fullName(), "nominated to " + node.name())));
        });
        return evidence;
    }

    private static String numbers(DiagnosedNode node, ResourceName resource, Question question) {
        return resource + ": " + node.allocatable(resource) + " allocatable, "
                + node.use().of(resource, question.asker()) + " used";
    }
}
