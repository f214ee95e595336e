package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.OtherGpuName;
import dev.sluice.doctor.DiagnosedRepairSearch.ChosenPath;
import dev.sluice.doctor.DiagnosedRepairSearch.Question;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a cause for each kind of obstacle that prevents a pod from being scheduled. The cause names the nodes with
 * this obstacle.
 */
final class DiagnosedRepairCauses {

    /** Limits the number of facts about nodes in an explanation, so that it stays readable. */
    private static final int MOST_FACTS = 5;

    /**
     * The first words of the evidence about a pod that builds the driver. The log of this pod tells why the build
     * failed.
     */
    static final String BUILD = "build pod ";

    private final ClusterFacts cluster;
    private final LostClaimUsers lost;
    /** Caches the text and the evidence about each fault, because many pods wait for the same nodes. */
    private final Map<AskedFault, ToldFault> told = new HashMap<>();

    /** @param asked the vendor of the devices that a pod requests; empty if there are several or none */
    private record AskedFault(FindingCode fault, String node, Optional<GpuVendor> asked) {}

    /** @param like the text without names, which is equal for nodes with the same fault */
    private record ToldFault(String text, String like, List<Evidence> plugins) {

        ToldFault and(String more) {
            return more.isEmpty() ? this : new ToldFault(text + more, like + more, plugins);
        }
    }

    public DiagnosedRepairCauses(ClusterFacts cluster, LostClaimUsers lost) {
        this.cluster = cluster;
        this.lost = lost;
    }

    /** Returns one cause for each code of {@code chosen}. */
    public List<DiagnosisCause> of(ChosenPath chosen, Question question) {
        List<DiagnosisCause> causes = new ArrayList<>();
        for (DiagnosisCode code : chosen.codes()) {
            causes.add(
                    switch (code) {
                        case CONSTRAINT_MISMATCH -> mismatch(chosen, question);
                        case HELD_BY_TERMINATING -> DeviceUseCauses.held(chosen, question, cluster);
                        case FRAGMENTED -> DeviceUseCauses.fragmented(chosen, question);
                        case ALL_USED -> DeviceUseCauses.used(chosen, question, cluster, lost);
                        default -> fault(code, chosen, question);
                    });
        }
        return causes;
    }

    private DiagnosisCause fault(DiagnosisCode code, ChosenPath chosen, Question question) {
        Optional<GpuVendor> asked = vendor(question);
        Map<String, ToldFault> byNode = new TreeMap<>();
        List<Evidence> plugins = new ArrayList<>();
        for (NodeObstacles path : chosen.equal()) {
            for (PodObstacle obstacle : path.obstacles()) {
                if (obstacle instanceof PodObstacle.NodeFault(FindingCode fault) && obstacle.code() == code) {
                    ToldFault it = told.computeIfAbsent(
                            new AskedFault(fault, path.node().name(), asked), _ -> tell(fault, path.node(), asked));
                    byNode.put(path.node().name(), it.and(endsWith(path)));
                    plugins.addAll(it.plugins());
                }
            }
        }
        return about(code, byNode, plugins);
    }

    private ToldFault tell(FindingCode fault, DiagnosedNode node, Optional<GpuVendor> asked) {
        RuleTime.check();
        List<Evidence> plugins = new ArrayList<>(builders(fault, node, asked));
        plugins.addAll(plugins(fault, node, asked));
        plugins.addAll(sets(fault, node, asked));
        String text = DiagnosedNodeFaultText.of(fault, node, cluster, asked);
        return new ToldFault(text, LikeNodes.withoutNames(text, node.name()), List.copyOf(plugins));
    }

    /**
     * Returns a sentence about the constraints that the node will meet as soon as the fault is repaired; empty if there
     * are none.
     */
    private static String endsWith(NodeObstacles path) {
        String facts = path.obstacles().stream()
                .flatMap(obstacle ->
                        obstacle instanceof PodObstacle.EndsWithFault ends ? Stream.of(ends.fact()) : Stream.empty())
                .collect(Collectors.joining("; "));
        return facts.isEmpty() ? "" : " This should end with it: " + facts + ".";
    }

    /**
     * Returns the vendor of the devices that the pod requests; empty if the pod requests devices of several vendors, or
     * of none.
     */
    private static Optional<GpuVendor> vendor(Question question) {
        List<GpuVendor> asked = Stream.of(GpuVendor.values())
                .filter(vendor -> !vendor.own(question.gpus()).isEmpty())
                .toList();
        return asked.size() == 1 ? Optional.of(asked.getFirst()) : Optional.empty();
    }

    private static boolean isOfPlugin(FindingCode fault) {
        return fault == FindingCode.PLUGIN_NOT_REGISTERED || fault == FindingCode.PLUGIN_STOPPED;
    }

    /**
     * Returns the evidence if the fault concerns the device plugin or its devices; empty for other faults. The evidence
     * consists of the plugin pods of the node and the pods that they wait for.
     */
    private static List<Evidence> plugins(FindingCode fault, DiagnosedNode node, Optional<GpuVendor> asked) {
        return isOfPlugin(fault) || fault == FindingCode.UNHEALTHY_DEVICES
                ? Stream.concat(
                                asked.stream()
                                        .flatMap(vendor ->
                                                evidence("pod ", node.plugins().awaited(vendor))),
                                node.plugins().pods().entrySet().stream()
                                        .filter(of -> asked.isEmpty() || asked.get() == of.getKey())
                                        .flatMap(of -> of.getValue().stream())
                                        .map(pod ->
                                                new Evidence("Pod", pod.fullName(), DiagnosedNodeFaultText.state(pod))))
                        .toList()
                : List.of();
    }

    /**
     * Returns the evidence about pods that the device plugin waits for: pods that build the driver, and pods that
     * should label the node.
     */
    private List<Evidence> builders(FindingCode fault, DiagnosedNode node, Optional<GpuVendor> asked) {
        return isOfPlugin(fault)
                ? asked.stream()
                        .flatMap(vendor -> Stream.concat(
                                evidence(BUILD, DiagnosedNodeFaultText.builders(node, vendor, cluster)),
                                evidence("pod ", DiagnosedNodeFaultText.labellers(node, vendor, cluster))))
                        .toList()
                : List.of();
    }

    private static Stream<Evidence> evidence(String title, List<PodFacts> pods) {
        return pods.stream().map(pod -> new Evidence("Pod", pod.fullName(), DiagnosedNodeFaultText.state(pod, title)));
    }

    /**
     * Returns the evidence if the device plugin has not registered or has stopped; empty for other faults. The evidence
     * consists of the DaemonSets that lack a needed pod on the node, and of the pods of a GPU operator that do not run.
     */
    private List<Evidence> sets(FindingCode fault, DiagnosedNode node, Optional<GpuVendor> asked) {
        return isOfPlugin(fault)
                ? Stream.concat(
                                asked.filter(vendor -> node.plugins().on(vendor).isEmpty()).stream()
                                        .flatMap(vendor ->
                                                DiagnosedGpuOperatorPods.evidence(
                                                        vendor, node.plugins().down(), cluster)
                                                        .stream()),
                                Stream.concat(
                                                DiagnosedNodeFaultText.withoutPod(node, cluster, asked)
                                                        .entrySet()
                                                        .stream(),
                                                asked.stream()
                                                        .flatMap(vendor ->
                                                                DiagnosedNodeFaultText.keptOff(node, vendor, cluster)
                                                                        .entrySet()
                                                                        .stream()))
                                        .map(set -> new Evidence("DaemonSet", set.getKey(), set.getValue())))
                        .toList()
                : List.of();
    }

    private static DiagnosisCause about(DiagnosisCode code, Map<String, ToldFault> byNode, List<Evidence> plugins) {
        Map<String, List<Map.Entry<String, ToldFault>>> like = byNode.entrySet().stream()
                .collect(Collectors.groupingBy(
                        fault -> fault.getValue().like(), LinkedHashMap::new, Collectors.toList()));
        List<List<Map.Entry<String, ToldFault>>> told =
                like.values().stream().limit(MOST_FACTS).toList();
        int more = byNode.size() - told.stream().mapToInt(List::size).sum();
        String texts = told.stream()
                .map(faults -> LikeNodes.sentences(
                        faults.getFirst().getValue().text(),
                        faults.stream().skip(1).map(Map.Entry::getKey).toList()))
                .collect(Collectors.joining(" "));
        List<Evidence> evidence = new ArrayList<>();
        Stream.concat(told.stream().map(List::getFirst), byNode.entrySet().stream())
                .distinct()
                .limit(MOST_FACTS)
                .forEach(fault -> evidence.add(
                        new Evidence("Node", fault.getKey(), fault.getValue().text())));
        plugins.stream().distinct().limit(MOST_FACTS).forEach(evidence::add);
        return new DiagnosisCause(
                code,
                texts
                        + (more > 0
                                ? " " + CountText.of(more, "more node has", "more nodes have") + " such a fault."
                                : ""),
                evidence);
    }

    /**
     * Returns one cause for all mismatches. Nodes with the same fact share a sentence. The number of facts is limited,
     * so the first fact of each reason comes before all other facts.
     */
    private DiagnosisCause mismatch(ChosenPath chosen, Question question) {
        Map<String, TreeSet<String>> nodesByFact = new LinkedHashMap<>();
        Set<DiagnosedMismatchReason> reasons = EnumSet.noneOf(DiagnosedMismatchReason.class);
        mismatches(chosen)
                .filter(found -> reasons.add(found.mismatch().reason()))
                .forEach(found -> nodesByFact.put(found.mismatch().fact(), new TreeSet<>()));
        mismatches(chosen)
                .forEach(found -> nodesByFact
                        .computeIfAbsent(found.mismatch().fact(), _ -> new TreeSet<>())
                        .add(found.node()));
        List<String> sentences = new ArrayList<>();
        List<Evidence> evidence = new ArrayList<>();
        nodesByFact.entrySet().stream()
                .limit(Math.max(MOST_FACTS, reasons.size()))
                .forEach(entry -> {
                    sentences.add(FirstFiveNames.nodes(entry.getValue()) + ": " + entry.getKey());
                    entry.getValue().stream()
                            .limit(FirstFiveNames.MOST)
                            .forEach(node -> evidence.add(new Evidence("Node", node, entry.getKey())));
                });
        int more = nodesByFact.size() - sentences.size();
        return new DiagnosisCause(
                DiagnosisCode.CONSTRAINT_MISMATCH,
                "Nodes with " + devices(question) + " are kept from the pod by something else: "
                        + String.join("; ", sentences)
                        + (more > 0 ? "; and " + more + " more such facts." : ".")
                        + UnregisteredResourceRule.sentences(question.ask(), chosen, cluster, evidence),
                evidence);
    }

    /** Returns the word for the requested devices. Accelerators such as TPUs are not called GPUs. */
    private static String devices(Question question) {
        boolean accelerators =
                question.ask().requests().anyMatch((name, amount) -> amount > 0 && OtherGpuName.isOfAccelerator(name));
        boolean gpus = question.ask()
                .requests()
                .anyMatch(
                        (name, amount) -> amount > 0 && DraFacts.isDevice(name) && !OtherGpuName.isOfAccelerator(name));
        return accelerators && !gpus ? "such devices" : "GPUs";
    }

    private static Stream<MismatchOnNode> mismatches(ChosenPath chosen) {
        return chosen.equal().stream()
                .flatMap(path -> path.obstacles().stream()
                        .filter(PodObstacle.Mismatch.class::isInstance)
                        .map(obstacle -> new MismatchOnNode(path.node().name(), (PodObstacle.Mismatch) obstacle)));
    }

    private record MismatchOnNode(String node, PodObstacle.Mismatch mismatch) {}

    /** Returns the pods on the node that use the requested resources. */
    static List<PodFacts> holders(DiagnosedNode node, Question question) {
        return node.use().bound().stream().filter(pod -> holds(pod, question)).toList();
    }

    static boolean holds(PodFacts pod, Question question) {
        RuleTime.check();
        return question.ask()
                .requests()
                .anyMatch((resource, _) ->
                        DraFacts.isDevice(resource) && pod.ask().requests().get(resource) > 0);
    }
}
