package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MisspeltGpuResource;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosedDevicePluginPods.DownSoftware;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds requests that can never be satisfied, because the hardware, the MIG profile or the ResourceClaim does not
 * exist.
 */
final class DiagnosedImpossibleDemand {

    private static final int MOST_NODES = 5;

    private final ClusterFacts cluster;
    private final List<DiagnosedNode> nodes;
    private final ClaimRules claims;
    /** Caches for each requested MIG resource whether a GPU model supports it. */
    private final Map<ResourceName, Boolean> possible = new HashMap<>();

    DiagnosedImpossibleDemand(ClusterFacts cluster, List<DiagnosedNode> nodes, ClaimRules claims) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.claims = claims;
    }

    /**
     * Returns the first cause why the request can never be satisfied; empty if there is none.
     *
     * @param pod the name of the pod; empty for a pod template
     * @param message the scheduler's newest message; empty if there is no recent message
     */
    public Optional<DiagnosisCause> find(PodDemandFacts ask, String pod, String message) {
        Amounts gpus = GpuVendor.gpus(ask.devices());
        return first(ask.requests(), this::misspelt)
                .or(() -> first(gpus, (resource, asked) -> withoutHardware(resource, asked, ask)))
                .or(() -> first(gpus, this::unknownProfile))
                .or(() -> claims.unsatisfied(ask, pod, message))
                .or(() -> first(ask.requests(), (resource, _) -> onlyByClaims(resource, ask, pod)));
    }

    private interface ImpossibleRule {
        Optional<DiagnosisCause> cause(ResourceName resource, long asked);
    }

    private static Optional<DiagnosisCause> first(Amounts amounts, ImpossibleRule rule) {
        List<DiagnosisCause> causes = new ArrayList<>();
        amounts.forEach((resource, asked) -> rule.cause(resource, asked).ifPresent(causes::add));
        return causes.stream().findFirst();
    }

    /** Returns true if no node has the resource, and its name is similar to the name of a GPU resource. */
    boolean isMisspelt(ResourceName resource) {
        return !GpuVendor.isGpu(resource)
                && MisspeltGpuResource.of(resource).isPresent()
                && !claims.isMapped(resource)
                && nodes.stream().noneMatch(node -> node.capacity(resource) > 0);
    }

    private Optional<DiagnosisCause> misspelt(ResourceName resource, long asked) {
        return asked <= 0 || !isMisspelt(resource)
                ? Optional.empty()
                : MisspeltGpuResource.of(resource)
                        .map(meant -> new DiagnosisCause(
                                DiagnosisCode.NEVER_FITS_ONE_NODE,
                                resource + ": " + asked
                                        + " requested, but no node has it, and it is no GPU resource that"
                                        + " is known. Did you mean " + meant + "?",
                                Evidence.ofSubject("requests " + resource + ": " + asked)));
    }

    private Optional<DiagnosisCause> withoutHardware(ResourceName resource, long asked, PodDemandFacts ask) {
        GpuVendor vendor = GpuVendor.of(resource).orElseThrow();
        boolean isThere = nodes.stream()
                .anyMatch(node -> node.has(vendor)
                        && (GpuVendor.isForMachines(resource)
                                || !GpuLabels.isForMachines(node.facts().node().labels())));
        if (isThere || claims.isMapped(resource)) {
            return Optional.empty();
        }
        List<String> machines = nodes.stream()
                .filter(node -> GpuLabels.isForMachines(node.facts().node().labels()))
                .map(node -> node.name() + " (" + GpuLabels.WORKLOAD + "=" + node.label(GpuLabels.WORKLOAD) + ")")
                .toList();
        List<String> others = nodes.stream()
                .filter(node -> !node.hardware().isEmpty() && !node.has(vendor))
                .map(node -> node.name() + " ("
                        + node.hardware().keySet().iterator().next().title() + ")")
                .toList();
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(Evidence.ofSubject("requests " + resource + ": " + asked));
        nodes.stream()
                .filter(node -> GpuLabels.isForMachines(node.facts().node().labels()))
                .limit(MOST_NODES)
                .forEach(node -> evidence.add(
                        new Evidence("Node", node.name(), GpuLabels.WORKLOAD + "=" + node.label(GpuLabels.WORKLOAD))));
        nodes.stream()
                .filter(node -> !node.hardware().isEmpty() && !node.has(vendor))
                .limit(MOST_NODES)
                .forEach(node -> evidence.add(new Evidence(
                        "Node",
                        node.name(),
                        "hardware by "
                                + node.hardware().keySet().iterator().next().title())));
        String text = resource + ": " + asked + " requested, but no node is labelled as having GPUs by "
                + vendor.title() + " for containers, and "
                + (nodes.size() == 1
                        ? "the only node has registered none."
                        : "none of the " + nodes.size() + " nodes has registered any.")
                + (others.isEmpty() ? "" : " Nodes with GPUs of another vendor: " + FirstFiveNames.of(others) + ".")
                + (machines.isEmpty()
                        ? ""
                        : " Nodes reserved for virtual machines: " + FirstFiveNames.of(machines) + ".")
                + pools();
        Optional<DiagnosisCause> idle = Optional.of(resource)
                .filter(GpuVendor::isForMachines)
                .flatMap(_ -> MachineGpuRule.cause(resource, asked, vendor, nodes, cluster))
                .or(() -> idlePlugins(vendor, ask, text, evidence))
                .or(() -> withoutOperator(vendor, text, evidence));
        if (idle.isPresent() || !machines.isEmpty()) {
            return idle.or(() -> Optional.of(new DiagnosisCause(DiagnosisCode.NO_GPU_NODES, text, evidence)));
        }
        return Optional.of(new DiagnosisCause(DiagnosisCode.NO_GPU_NODES, text + withoutPlugin(vendor), evidence));
    }

    /**
     * Returns a sentence which says that a node pool with GPUs may scale up from zero nodes. Returns an empty text if
     * no node has the label of a node pool.
     */
    private String pools() {
        return nodes.stream()
                .flatMap(node -> node.facts().node().labels().entrySet().stream()
                        .filter(label -> GpuLabels.isOfPool(label.getKey()))
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .sorted()
                        .limit(1)
                        .map(label -> " Node " + node.name() + " is of a node pool (" + label
                                + "), so a pool with GPUs may grow from zero."))
                .findFirst()
                .orElse("");
    }

    /**
     * Returns the cause if a device plugin exists but its DaemonSet selects no node. The cause names the labels that
     * the nodes need.
     */
    private Optional<DiagnosisCause> idlePlugins(
            GpuVendor vendor, PodDemandFacts ask, String text, List<Evidence> evidence) {
        List<OwnerFacts> idle = DiagnosedNodeFaultText.idleSets(vendor, cluster);
        if (idle.isEmpty()) {
            return Optional.empty();
        }
        List<String> sets = idle.stream()
                .map(set -> DiagnosedNodeFaultText.idle(set, nodes, cluster))
                .toList();
        List<Evidence> found = new ArrayList<>(evidence);
        idle.forEach(set -> found.add(new Evidence(
                "DaemonSet", DiagnosedNodeFaultText.fullName(set), DiagnosedNodeFaultText.idle(set, nodes, cluster))));
        boolean byLabel = idle.stream()
                .anyMatch(set -> !set.template().constraints().labelsAsked().isEmpty());
        if (byLabel) {
            down().discovery().stream()
                    .limit(MOST_NODES)
                    .forEach(pod ->
                            found.add(new Evidence("Pod", pod.fullName(), DiagnosedNodeFaultText.state(pod, "pod "))));
        }
        return Optional.of(new DiagnosisCause(
                DiagnosisCode.PLUGIN_NOT_REGISTERED,
                text + " A device plugin is installed and runs nowhere: " + FirstFiveNames.of(sets) + "."
                        + alsoUntolerated(idle, ask)
                        + (byLabel
                                ? " If a node has GPUs, label it, or install node feature discovery, which does."
                                        + withoutDiscovery()
                                : ""),
                found));
    }

    /**
     * Returns a sentence about the taints that keep the device plugin off a node and that the diagnosed pod does not
     * tolerate, either; empty if there are none.
     */
    private String alsoUntolerated(List<OwnerFacts> idle, PodDemandFacts ask) {
        List<String> taints = idle.stream()
                .flatMap(set -> DiagnosedNodeFaultText.idleByTaint(set, nodes).stream())
                .filter(taint -> !ask.constraints().tolerates(taint))
                .map(Taint::toString)
                .distinct()
                .toList();
        return taints.isEmpty() ? "" : " The pod does not tolerate " + FirstFiveNames.of(taints) + ", either.";
    }

    /** Returns the cause if a GPU operator is installed but does not run. */
    private Optional<DiagnosisCause> withoutOperator(GpuVendor vendor, String text, List<Evidence> evidence) {
        List<Evidence> found = new ArrayList<>(DiagnosedGpuOperatorPods.evidence(vendor, down(), cluster));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        found.addAll(evidence);
        return Optional.of(new DiagnosisCause(
                DiagnosisCode.PLUGIN_NOT_REGISTERED,
                text + DiagnosedGpuOperatorPods.sentence(vendor, down(), cluster),
                found));
    }

    /** Returns a sentence about nodes that feature discovery does not label, because its pods do not run there. */
    private String withoutDiscovery() {
        List<String> told = new ArrayList<>();
        nodes.stream()
                .filter(node -> !isControlPlane(node))
                .forEach(node -> DiagnosedNodeFaultText.discoveryKeptOff(node, cluster)
                        .forEach(clause -> told.add("on node " + node.name() + " " + clause)));
        down().discovery()
                .forEach(pod -> told.add((pod.isBound() ? "on node " + pod.nodeName() + " " : "")
                        + DiagnosedNodeFaultText.state(pod, "pod ")));
        return told.isEmpty() ? "" : " Feature discovery is not everywhere: " + FirstFiveNames.of(told) + ".";
    }

    private DownSoftware down() {
        return nodes.stream().findFirst().map(node -> node.plugins().down()).orElse(DownSoftware.NONE);
    }

    private static boolean isControlPlane(DiagnosedNode node) {
        return node.facts().node().labels().keySet().stream()
                .anyMatch(key -> key.equals("node-role.kubernetes.io/control-plane")
                        || key.equals("node-role.kubernetes.io/master"));
    }

    private String withoutPlugin(GpuVendor vendor) {
        boolean none = cluster.has(ClusterFactKind.DAEMON_SETS)
                && cluster.has(ClusterFactKind.PODS)
                && DiagnosedNodeFaultText.pluginSets(vendor, cluster).isEmpty();
        return none
                ? " No device plugin for GPUs by " + vendor.title()
                        + " is installed: if a node has GPUs, the plugin is what is missing."
                : "";
    }

    private Optional<DiagnosisCause> unknownProfile(ResourceName resource, long asked) {
        if (!resource.isMig() || possible.computeIfAbsent(resource, this::isPossible)) {
            return Optional.empty();
        }
        List<DiagnosedGpuProduct> present = products();
        return Optional.of(new DiagnosisCause(
                DiagnosisCode.UNKNOWN_PROFILE,
                resource + ": " + asked + " requested, but " + DiagnosedNearestMigProfile.impossible(resource, present),
                Evidence.ofSubject("requests " + resource + ": " + asked + ", which is no MIG profile of "
                        + DiagnosedNearestMigProfile.models(present))));
    }

    private boolean isPossible(ResourceName resource) {
        return nodes.stream().anyMatch(node -> node.capacity(resource) > 0)
                || MigProfile.ofResource(resource)
                        .filter(profile -> products().stream().anyMatch(product -> product.canHave(profile)))
                        .isPresent();
    }

    private List<DiagnosedGpuProduct> products() {
        return DiagnosedGpuProduct.ofAll(nodes);
    }

    private Optional<DiagnosisCause> onlyByClaims(ResourceName resource, PodDemandFacts ask, String pod) {
        boolean otherwise =
                !claims.isMapped(resource) || nodes.stream().anyMatch(node -> node.allocatable(resource) > 0);
        return otherwise ? Optional.empty() : claims.mapped(resource, ask, pod);
    }
}
