package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains why a kubelet refused a pod that was already bound to its node (pkg/kubelet/lifecycle, devicemanager). */
final class KubeletRefusalRule {

    /**
     * The explanation advises to cordon a node whose kubelet refused at least this many pods. A single refusal can be a
     * coincidence.
     */
    private static final int MANY = 2;

    /**
     * The last words of the evidence about a node whose kubelet refused several pods. {@link DiagnosisNextStep} finds
     * this evidence by these words.
     */
    static final String REFUSED = " pods refused by its kubelet";

    /**
     * Lists texts in messages of the device plugins of NVIDIA and GKE. The messages refuse a request for more than one
     * device of a shared resource.
     */
    private static final List<String> SHARED =
            List.of("maximum request size for shared resources is 1", "invalid request for sharing GPU");

    /**
     * Lists the filters of the scheduler that the kubelet applies again before it runs a pod. If a filter refuses the
     * pod, the reason of the refusal is the name of the filter.
     */
    private static final Set<String> PLACE = Set.of("NodeAffinity", "NodeName", "NodePorts", "TaintToleration");

    /** The kubelet's message begins with this text if the kubelet refused to run the pod, for any reason. */
    private static final String REJECTED = "Pod was rejected: ";

    /**
     * The kubelet's reason for refusing a pod whose number of CPUs is not a whole number of cores. The kubelet refuses
     * such pods if it assigns only whole cores.
     */
    private static final String HALF_A_CORE = "SMTAlignmentError";

    /** The kubelet's message contains this text if its node lacked disk, memory or process IDs. */
    private static final String PRESSURE = "The node had condition: [";

    /** The first words of the evidence about a node that lacked disk, memory or process IDs. */
    static final String UNDER_PRESSURE = "its kubelet takes up no pod: ";

    /** The kubelet's message contains this text if the device plugin answered with an error. */
    private static final String PLUGIN_FAILED = "rpc error";

    /** Lists the texts with which NVIDIA's driver reports that a GPU no longer responds. */
    private static final List<String> LOST = List.of("GPU is lost", "fallen off the bus");

    /** The last words of the evidence about a node that has lost a GPU. */
    static final String GPU_LOST = " has lost a GPU";

    /** The first words of the evidence about a device plugin that answered with an error. */
    static final String PLUGIN_ERROR = "it answered the kubelet with an error: ";

    /** The kubelet's message contains this text if too few devices of the node are free and healthy. */
    private static final String NONE_LEFT = "requested number of devices unavailable";

    /** Lists texts in the kubelet's messages about a resource without a registered, healthy device. */
    private static final List<String> NONE_REGISTERED =
            List.of("no healthy devices present", "can't allocate unregistered device");

    /** The first words of the evidence about a device plugin that does not run. */
    static final String PLUGIN_DOWN = "it had registered no healthy device: ";

    /**
     * The kubelet's reason begins with this text if other pods of the node already use too much of a resource. The name
     * of the resource follows.
     */
    private static final String OUT_OF = "OutOf";

    /** The kubelet's reason for refusing a pod while the node shuts down. */
    private static final String SHUTDOWN = "NodeShutdown";

    private final ClusterFacts cluster;
    private final Map<String, DiagnosedNode> nodes;
    private final KubeletRefusals refusals;

    /**
     * Creates the rule.
     *
     * @param nodes the nodes by their names
     */
    public KubeletRefusalRule(ClusterFacts cluster, Map<String, DiagnosedNode> nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.refusals = new KubeletRefusals(cluster);
    }

    /**
     * Returns true if the kubelet refused the pod. Returns false if all containers of the pod had ended with exit code
     * 0 before, because the refusal then does not matter.
     */
    public static boolean isRefused(PodFacts pod) {
        return pod.isBound()
                && pod.state().phase().equals("Failed")
                && !pod.state().endedWell()
                && (isOfResources(pod)
                        || isOfPlace(pod)
                        || isOfShutdown(pod)
                        || pod.state().message().startsWith(REJECTED));
    }

    /**
     * Returns true if the kubelet refused the pod because the node lacked a resource that the scheduler had counted as
     * available. A new pod may be refused for the same reason.
     */
    static boolean isOfResources(PodFacts pod) {
        String reason = pod.state().reason();
        return reason.equals("UnexpectedAdmissionError")
                || reason.equals("TopologyAffinityError")
                || reason.equals(HALF_A_CORE)
                || reason.startsWith(OUT_OF)
                || isOfPressure(pod);
    }

    /**
     * Returns true if the kubelet refused the pod because the node did not match the pod's constraints. The scheduler
     * checks these constraints, so it does not bind a new pod to a node that does not match.
     */
    private static boolean isOfPlace(PodFacts pod) {
        return PLACE.contains(pod.state().reason());
    }

    /**
     * Returns true if the kubelet refused the pod because its node lacked disk, memory or process IDs. A running pod
     * that was evicted for such a lack does not count.
     */
    private static boolean isOfPressure(PodFacts pod) {
        return pod.state().reason().equals("Evicted") && pod.state().message().contains(PRESSURE);
    }

    private static boolean isOfShutdown(PodFacts pod) {
        return pod.state().reason().equals(SHUTDOWN);
    }

    private static boolean isOfRegistration(PodFacts pod) {
        return NONE_REGISTERED.stream().anyMatch(pod.state().message()::contains);
    }

    private static List<PodFacts> plugins(@Nullable DiagnosedNode node, Amounts gpus) {
        return node == null
                ? List.of()
                : Stream.of(GpuVendor.values())
                        .filter(vendor -> !vendor.own(gpus).isEmpty())
                        .flatMap(vendor -> node.plugins().on(vendor).stream())
                        .toList();
    }

    /**
     * Returns true if the pod was refused because no device was registered, and the plugin has registered enough
     * devices since. Returns false if the kubelet of the node has refused a pod within the last two minutes, because it
     * may still refuse pods.
     */
    private boolean isRegisteredSince(PodFacts pod, Amounts gpus, DiagnosedNode node) {
        return isOfRegistration(pod)
                && plugins(node, gpus).stream().anyMatch(PodFacts::isRunningAndReady)
                && !gpus.anyMatch((resource, amount) -> node.allocatable(resource) < amount)
                && !refusals.isGoingOn(pod.nodeName());
    }

    /** Returns a sentence about a device plugin that had registered no device when the kubelet refused the pod. */
    private String unregistered(PodFacts pod, Amounts gpus, @Nullable DiagnosedNode node, List<Evidence> evidence) {
        if (!isOfRegistration(pod) || refusals.isOver(pod)) {
            return "";
        }
        List<PodFacts> plugins = plugins(node, gpus);
        plugins.stream()
                .filter(plugin -> !plugin.isRunningAndReady())
                .forEach(plugin -> evidence.add(
                        new Evidence("Pod", plugin.fullName(), PLUGIN_DOWN + DiagnosedNodeFaultText.state(plugin))));
        return " The device plugin had registered no healthy device, as after a restart of the node or of the kubelet"
                + (plugins.isEmpty()
                        ? "."
                        : ": "
                                + FirstFiveNames.of(plugins.stream()
                                        .map(DiagnosedNodeFaultText::state)
                                        .toList())
                                + ".")
                + (node != null && isRegisteredSince(pod, gpus, node)
                        ? " It has registered enough since, so this pod can be deleted."
                        : "");
    }

    private static String shutdown(PodFacts pod) {
        return isOfShutdown(pod)
                ? " A node that shuts down is not ready, so the scheduler binds no new pod to it. This pod does not start"
                        + " again and can be deleted."
                : "";
    }

    /**
     * Returns a sentence about the pods that use the devices of the node, and adds these pods to the evidence. Returns
     * an empty text if the pod was not refused for a lack of devices.
     */
    private String holders(PodFacts refused, Amounts gpus, List<Evidence> evidence) {
        DiagnosedNode node = nodes.get(refused.nodeName());
        if (node == null || !refused.state().message().contains(NONE_LEFT)) {
            return "";
        }
        String held = heldBy(
                node, pod -> gpus.anyMatch((resource, _) -> pod.ask().requests().get(resource) > 0), evidence);
        return held.isEmpty()
                ? " The kubelet had fewer healthy devices than the scheduler counted, as after a restart of the device plugin"
                        + " or of the node."
                : held + forgotten(refused, gpus, node);
    }

    /**
     * Returns a sentence about the pods of the node for which {@code choice} returns true, and adds them to the
     * evidence; empty if there are none.
     */
    private static String heldBy(DiagnosedNode node, Predicate<PodFacts> choice, List<Evidence> evidence) {
        List<String> pods = node.use().bound().stream()
                .filter(choice)
                .map(PodFacts::fullName)
                .sorted()
                .toList();
        pods.stream()
                .limit(FirstFiveNames.MOST)
                .forEach(pod -> evidence.add(new Evidence("Pod", pod, "holds devices of " + node.name())));
        return pods.isEmpty() ? "" : " The devices of the node are held by " + FirstFiveNames.of(pods) + ".";
    }

    /**
     * Returns advice if the pods on the node leave enough devices for the refused pod, but the kubelet may still refuse
     * new pods; empty otherwise. The kubelet may then still count the devices of pods that no longer exist.
     */
    private String forgotten(PodFacts refused, Amounts gpus, DiagnosedNode node) {
        List<String> free = new ArrayList<>();
        gpus.forEach((resource, amount) -> {
            long used = node.use().bound().stream()
                    .filter(PodFacts::holdsItsNode)
                    .mapToLong(pod -> pod.ask().requests().get(resource))
                    .reduce(0, Amounts::saturatedSum);
            if (node.allocatable(resource) - used >= amount) {
                free.add(used + " of its " + node.allocatable(resource) + " " + resource);
            }
        });
        return free.size() < gpus.size() || refusals.isOver(refused)
                ? ""
                : " They request only " + String.join(" and ", free)
                        + ". If new pods are refused there all the same, the kubelet counts devices of pods that are gone:"
                        + " restart the kubelet.";
    }

    /**
     * Returns a sentence about a device plugin that answered the kubelet with an error. Adds the plugin's pod to the
     * evidence, and also the node if it has lost a GPU and is not cordoned.
     */
    private String pluginError(PodFacts refused, Amounts gpus, List<Evidence> evidence) {
        String message = refused.state().message();
        DiagnosedNode node = nodes.get(refused.nodeName());
        if (!message.contains(PLUGIN_FAILED) || refusals.isOver(refused)) {
            return "";
        }
        boolean isLost = LOST.stream().anyMatch(message::contains);
        List<PodFacts> plugins = plugins(node, gpus);
        plugins.forEach(plugin -> evidence.add(
                new Evidence("Pod", plugin.fullName(), PLUGIN_ERROR + DiagnosedNodeFaultText.state(plugin))));
        boolean cordoned = node != null && node.facts().node().unschedulable();
        if (isLost && !cordoned) {
            evidence.add(new Evidence("Node", refused.nodeName(), "node " + refused.nodeName() + GPU_LOST));
        }
        return (isLost
                        ? " A GPU of node " + refused.nodeName()
                                + " is lost, until it is reset or the node is restarted"
                                + (cordoned ? "." : ": cordon the node first.")
                        : " The device plugin answered with this error"
                                + (plugins.isEmpty()
                                        ? "."
                                        : ": " + DiagnosedNodeFaultText.state(plugins.getFirst())
                                                + ", and its log may say more."))
                + (cordoned ? "" : " A new pod may be refused there, too.");
    }

    private static String place(PodFacts pod) {
        return isOfPlace(pod)
                ? " The kubelet checks that when it is to run a pod, also again after a restart, when the labels of its node"
                        + " may not be set yet. The scheduler checks it before it binds a new pod."
                : "";
    }

    /**
     * Returns a sentence about a resource that other pods of the node already used. If it is a GPU resource, adds these
     * pods to the evidence.
     */
    private String taken(PodFacts refused, List<Evidence> evidence) {
        String reason = refused.state().reason();
        DiagnosedNode node = nodes.get(refused.nodeName());
        if (!reason.startsWith(OUT_OF)) {
            return "";
        }
        ResourceName resource = new ResourceName(reason.substring(OUT_OF.length()));
        String held = node == null || !GpuVendor.isGpu(resource)
                ? ""
                : heldBy(node, pod -> pod.holdsItsNode() && pod.ask().requests().get(resource) > 0, evidence);
        return held
                + " The kubelet counts all pods of its node. Whoever bound this pod did not count one of them: another"
                + " scheduler bound that pod, somebody set spec.nodeName, or that pod had just ended, which the kubelet"
                + " notices later than the scheduler."
                + (refusals.isOver(refused) ? "" : " This pod does not start again and can be deleted.");
    }

    private static String topology(PodFacts pod) {
        return pod.state().reason().equals("TopologyAffinityError")
                ? " The topology manager of this kubelet gives a pod only devices and CPUs whose NUMA nodes its policy allows."
                        + " The scheduler does not know NUMA nodes, so a new pod may be refused there, too: request fewer"
                        + " devices or CPUs, or change the kubelet's topologyManagerPolicy."
                : "";
    }

    private static String cores(PodFacts pod) {
        return pod.state().reason().equals(HALF_A_CORE)
                ? " The CPU manager of this kubelet gives whole cores only: request a number of CPUs that is a multiple of the"
                        + " threads of a core."
                : "";
    }

    private static String memory(PodFacts pod) {
        return pod.state().message().contains("[memorymanager]")
                ? " The memory manager of this kubelet gives a pod memory of NUMA nodes that have enough of it, which the"
                        + " scheduler does not know, so a new pod may be refused there, too: request less memory, or change"
                        + " the kubelet's memoryManagerPolicy."
                : "";
    }

    /** Returns a sentence about a node that lacked disk, memory or process IDs, and adds the node to the evidence. */
    private static String pressure(PodFacts pod, List<Evidence> evidence) {
        if (!isOfPressure(pod)) {
            return "";
        }
        evidence.add(new Evidence(
                "Node", pod.nodeName(), UNDER_PRESSURE + pod.state().message().strip()));
        return " The kubelet takes up no pod until this ends. A taint tells it to the scheduler, unless the pod tolerates"
                + " that taint.";
    }

    public List<DiagnosisCause> causes(PodFacts pod, Amounts gpus) {
        boolean shared = SHARED.stream().anyMatch(pod.state().message()::contains);
        String fact = "the kubelet of node " + pod.nodeName() + " refused it with "
                + pod.state().reason() + ": \"" + pod.state().message() + "\"";
        DiagnosedNode node = nodes.get(pod.nodeName());
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(new Evidence("Pod", pod.fullName(), fact));
        if (node != null) {
            gpus.forEach((resource, _) -> evidence.add(
                    new Evidence("Node", node.name(), resource + ": " + node.allocatable(resource) + " allocatable")));
        }
        if (shared) {
            return List.of(new DiagnosisCause(
                    DiagnosisCode.SHARED_REQUEST_TOO_LARGE,
                    "The pod requests " + gpus.sum() + " of a shared resource, of which a pod may request 1 at most: "
                            + fact + ".",
                    evidence));
        }
        List<DiagnosisCause> causes = new ArrayList<>();
        int again = refusals.on(pod.nodeName());
        boolean cordoned = node != null && node.facts().node().unschedulable();
        boolean isStorm = again >= MANY && !cordoned && (node == null || !isRegisteredSince(pod, gpus, node));
        String storm = isStorm
                ? " This kubelet has refused " + again + " pods: cordon node " + pod.nodeName()
                        + " first. Deleting pods feeds the storm: a pod that takes the place of a deleted one may be"
                        + " bound there again."
                : again >= MANY && cordoned ? " The node is cordoned, so the refused pods can be deleted." : "";
        String over = refusals.isOver(pod)
                ? " The kubelet runs a GPU pod that was bound later, so this pod is only left over and can be deleted."
                : "";
        if (isStorm) {
            evidence.add(new Evidence("Node", pod.nodeName(), again + REFUSED));
        }
        causes.add(new DiagnosisCause(
                DiagnosisCode.KUBELET_REFUSED,
                "The pod was bound, and " + fact + "." + topology(pod) + cores(pod) + memory(pod)
                        + pressure(pod, evidence)
                        + place(pod)
                        + shutdown(pod)
                        + taken(pod, evidence) + holders(pod, gpus, evidence) + unregistered(pod, gpus, node, evidence)
                        + pluginError(pod, gpus, evidence) + over + storm,
                evidence));
        if (node != null) {
            NodeFaults.first(node).ifPresent(fault -> {
                String text = DiagnosedNodeFaultText.of(fault, node, cluster);
                causes.add(new DiagnosisCause(DiagnosisCode.of(fault), text, new Evidence("Node", node.name(), text)));
            });
        }
        return causes;
    }
}
