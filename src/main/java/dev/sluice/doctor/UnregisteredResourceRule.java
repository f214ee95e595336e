package dev.sluice.doctor;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosedRepairSearch.ChosenPath;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.List;

/**
 * Explains why a pod lacks a resource that no node has ever registered, for example the adapters of a fast network: the
 * device plugin of the resource does not run. Other rules explain GPUs.
 */
final class UnregisteredResourceRule {

    /** The first words of the evidence about a device plugin that should register a resource. */
    static final String REGISTERS = "it is to register ";

    /**
     * The domain of the resources that KubeVirt registers on each of its nodes. The DaemonSet {@link #KUBEVIRT_PLUGIN}
     * registers them.
     */
    private static final String KUBEVIRT = "devices.kubevirt.io/";

    private static final String KUBEVIRT_PLUGIN = "virt-handler";

    private UnregisteredResourceRule() {}

    /**
     * Returns a sentence about each requested resource that no node has registered, and adds the device plugins of
     * these resources to the evidence. Returns an empty text if the pod has a scheduler other than the default one,
     * because that scheduler may count such a resource itself.
     */
    static String sentences(PodDemandFacts ask, ChosenPath chosen, ClusterFacts cluster, List<Evidence> evidence) {
        StringBuilder text = new StringBuilder();
        ask.requests().forEach((resource, amount) -> {
            if (amount > 0
                    && ask.isForDefaultScheduler()
                    && resource.isExtended()
                    && !DraFacts.isDevice(resource)
                    && cluster.nodes().stream()
                            .noneMatch(node -> node.node().capacity().has(resource))) {
                List<Evidence> plugins = plugins(resource, chosen, cluster);
                evidence.addAll(plugins);
                text.append(" No node has registered ")
                        .append(resource)
                        .append(plugins.isEmpty() ? ", so look for its device plugin" : ": ")
                        .append(FirstFiveNames.of(plugins.stream()
                                .map(it -> it.fact()
                                        .substring(REGISTERS.length()
                                                + resource.value().length()
                                                + 2))
                                .toList()))
                        .append('.');
            }
        });
        return text.toString();
    }

    private static List<Evidence> plugins(ResourceName resource, ChosenPath chosen, ClusterFacts cluster) {
        List<DiagnosedNode> nodes =
                chosen.equal().stream().map(NodeObstacles::node).distinct().toList();
        List<Evidence> found = new ArrayList<>();
        cluster.owners().stream()
                .filter(set -> set.kind().equals("DaemonSet") && registers(set.name(), resource))
                .forEach(set -> {
                    String lead = REGISTERS + resource + ": ";
                    List<PodFacts> pods = podsOf(set, cluster);
                    pods.stream()
                            .filter(pod -> !pod.isRunningAndReady())
                            .limit(FirstFiveNames.MOST)
                            .forEach(pod -> found.add(new Evidence("Pod", pod.fullName(), lead + state(pod))));
                    if (pods.isEmpty()) {
                        found.add(new Evidence(
                                "DaemonSet",
                                DiagnosedNodeFaultText.fullName(set),
                                lead + DiagnosedNodeFaultText.idle(set, nodes, cluster)));
                    }
                });
        return found;
    }

    /**
     * Returns true if a DaemonSet with this name is the device plugin of the resource. Such a name contains the
     * resource's name, without its domain, as a word.
     */
    private static boolean registers(String name, ResourceName resource) {
        String value = resource.value();
        return value.startsWith(KUBEVIRT)
                ? name.equals(KUBEVIRT_PLUGIN)
                : name.contains("plugin")
                        && ("-" + name + "-").contains("-" + value.substring(value.indexOf('/') + 1) + "-");
    }

    private static List<PodFacts> podsOf(OwnerFacts set, ClusterFacts cluster) {
        return cluster.pods().stream()
                .filter(pod -> !pod.hasEnded()
                        && pod.namespace().equals(set.namespace())
                        && pod.owner()
                                .filter(owner -> owner.kind().equals("DaemonSet")
                                        && owner.name().equals(set.name()))
                                .isPresent())
                .toList();
    }

    /** Describes a pod that is not ready. Quotes the kubelet's message about the waiting container. */
    static String state(PodFacts pod) {
        return DiagnosedNodeFaultText.state(pod, "pod ")
                + PodStartFailures.quoted(pod.state().start().message());
    }
}
