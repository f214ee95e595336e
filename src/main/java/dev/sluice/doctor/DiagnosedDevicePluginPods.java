package dev.sluice.doctor;

import dev.sluice.cluster.GpuDevicePlugins;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.NodeFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the pods of device plugins and DRA drivers on each node. */
final class DiagnosedDevicePluginPods {

    private static final String KMM_WORKER = "kmm-worker-";

    /** Matches a message which says only that the kubelet waits before it restarts a container. */
    private static final Pattern RESTART = Pattern.compile("(?i)back-off .*restarting failed container");

    private final Map<String, List<PodFacts>> plugins = new HashMap<>();
    private final Map<String, List<PodFacts>> drivers = new HashMap<>();

    /**
     * Maps the name of a node to the pods for which its device plugin waits. These are the pods of the driver, the
     * container toolkit and MPS, and the operator's validator if it fails.
     */
    private final Map<String, List<PodFacts>> installers = new HashMap<>();

    /** Maps the name of a node to its pods of GPU feature discovery. */
    private final Map<String, List<PodFacts>> discoverers = new HashMap<>();

    /**
     * The workers and masters of node feature discovery that are not ready. A worker finds the devices of its node, and
     * the master sets the labels of all nodes.
     */
    private final List<PodFacts> failedDiscovery = new ArrayList<>();

    /** The pods of GPU operators that do not run. */
    private final List<PodFacts> downOperators = new ArrayList<>();

    /**
     * Maps the full name of a pod of GPU software that does not run to a clause with the message that gives the reason.
     */
    private final Map<String, String> failures = new HashMap<>();

    DiagnosedDevicePluginPods(ClusterFacts cluster) {
        PodStartFailures said = new PodStartFailures(cluster);
        for (PodFacts pod : cluster.pods()) {
            Optional<GpuComponent> component = GpuComponent.of(pod.name());
            if (!pod.hasEnded() && !pod.isRunningAndReady()) {
                addDown(pod, component, said);
            }
            if (pod.isBound()) {
                addBound(pod, component);
            } else if (!pod.hasEnded()) {
                nodeOfDaemon(pod).ifPresent(node -> addPluginOrInstaller(pod, component, node));
            }
        }
    }

    private void addDown(PodFacts pod, Optional<GpuComponent> component, PodStartFailures said) {
        if (component.isPresent() || GpuDevicePlugins.isImage(pod.image())) {
            failures.put(pod.fullName(), failure(pod, said));
        }
        if (component.filter(GpuComponent.OPERATOR::equals).isPresent()) {
            downOperators.add(pod);
        }
        if (component.filter(GpuComponent.NODE_DISCOVERY::equals).isPresent()
                && (pod.name().contains("worker") || pod.name().contains("master"))) {
            failedDiscovery.add(pod);
        }
    }

    private void addBound(PodFacts pod, Optional<GpuComponent> component) {
        if (!pod.hasEnded()
                && component.filter(GpuComponent.GPU_DISCOVERY::equals).isPresent()) {
            addToNode(discoverers, pod, pod.nodeName());
        }
        if (isDriver(pod.name())) {
            addToNode(drivers, pod, pod.nodeName());
        }
        addPluginOrInstaller(pod, component, pod.nodeName());
    }

    private void addPluginOrInstaller(PodFacts pod, Optional<GpuComponent> component, String node) {
        if (isPlugin(pod, component)) {
            addToNode(plugins, pod, node);
        }
        if (isInstaller(pod, component)) {
            addToNode(installers, pod, node);
        }
    }

    private static void addToNode(Map<String, List<PodFacts>> byNode, PodFacts pod, String node) {
        byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(pod);
    }

    /**
     * Returns the node for which a DaemonSet has created this pod. The DaemonSet controller writes the name of the node
     * into the node affinity of the pod, and the scheduler binds the pod when the node has room for it.
     */
    private static Optional<String> nodeOfDaemon(PodFacts pod) {
        return pod.owner()
                .filter(owner -> owner.kind().equals("DaemonSet"))
                .flatMap(_ -> pod.ask().constraints().terms().stream()
                        .flatMap(term -> term.matchFields().stream())
                        .filter(field -> field.key().equals("metadata.name")
                                && field.values().size() == 1)
                        .map(field -> field.values().iterator().next())
                        .findFirst());
    }

    /**
     * Returns a clause that quotes why a pod does not run. It quotes the kubelet, or the scheduler if the pod is not
     * bound. Returns an empty text if no message gives a reason.
     */
    private static String failure(PodFacts pod, PodStartFailures said) {
        if (!pod.isBound()) {
            return Optional.ofNullable(pod.unscheduled())
                    .map(message -> PodStartFailures.quoted(SchedulerMessageReasons.filters(message.text())))
                    .orElse("");
        }
        String waiting = pod.state().start().message();
        return said.of(pod)
                .map(EventFacts::text)
                .or(() -> Optional.of(waiting))
                .filter(text -> !text.isEmpty() && !RESTART.matcher(text).find())
                .or(() -> said.probe(pod).map(EventFacts::text))
                .map(PodStartFailures::quoted)
                .orElse("");
    }

    DownSoftware down() {
        return new DownSoftware(failures, failedDiscovery, downOperators);
    }

    /**
     * The pods of GPU software that do not run. They may be bound to any node or to none.
     *
     * @param failures maps the full name of such a pod to a clause with the message about it
     * @param discovery the workers and masters of node feature discovery
     */
    record DownSoftware(Map<String, String> failures, List<PodFacts> discovery, List<PodFacts> operators) {

        static final DownSoftware NONE = new DownSoftware(Map.of(), List.of(), List.of());

        /** Returns the pods of operators for GPUs of this vendor. */
        List<PodFacts> operators(GpuVendor vendor) {
            return operators.stream()
                    .filter(pod ->
                            vendor(pod.image(), pod.namespace(), pod.name()).orElse(GpuVendor.NVIDIA) == vendor)
                    .toList();
        }
    }

    private static boolean isPlugin(PodFacts pod, Optional<GpuComponent> component) {
        // The image alone does not identify the plugin: the pods of feature discovery and the control daemon of MPS
        // also use the image of NVIDIA's plugin.
        boolean byImage = GpuDevicePlugins.isImage(pod.image())
                && component.filter(it -> it != GpuComponent.DEVICE_PLUGIN).isEmpty();
        return (GpuDevicePlugins.isName(pod.name()) || byImage)
                && pod.owner().filter(owner -> owner.kind().equals("DaemonSet")).isPresent();
    }

    /**
     * Returns true if the device plugin of this vendor waits for this pod. NVIDIA's plugin waits for the pods of
     * NVIDIA's operator. The plugins of AMD and Intel wait for the worker pods of kernel module management (KMM), which
     * load modules of any vendor.
     */
    static boolean isInstallerFor(GpuVendor vendor, PodFacts pod) {
        return (vendor == GpuVendor.NVIDIA) != pod.name().startsWith(KMM_WORKER);
    }

    private static boolean isInstaller(PodFacts pod, Optional<GpuComponent> component) {
        return pod.owner()
                        .filter(owner ->
                                owner.kind().equals("DaemonSet") || pod.name().startsWith(KMM_WORKER))
                        .isPresent()
                && component
                        .filter(it -> it == GpuComponent.DRIVER
                                || it == GpuComponent.TOOLKIT
                                || it == GpuComponent.MPS_CONTROL
                                || (it == GpuComponent.VALIDATOR && failsEarly(pod)))
                        .isPresent();
    }

    /**
     * Returns true if the operator's validator has not finished its checks of the driver and the container toolkit. The
     * plugin waits for the file that the validator writes after these checks.
     */
    private static boolean failsEarly(PodFacts pod) {
        String waiting = pod.state().start().waiting();
        return waiting.endsWith("driver-validation") || waiting.endsWith("toolkit-validation");
    }

    /**
     * Returns a clause about why the node lacks the labels of GPU feature discovery; empty if the cluster has no pod of
     * GPU feature discovery.
     */
    String discovery(String node) {
        List<PodFacts> own = discoverers.getOrDefault(node, List.of());
        if (discoverers.isEmpty()) {
            return "";
        }
        String lead = ", although GPU feature discovery sets it: ";
        return own.isEmpty()
                ? lead + "it has no pod there"
                : lead
                        + DiagnosedNodeFaultText.state(own.getFirst(), "its pod ")
                        + (own.getFirst().isRunningAndReady()
                                ? ", and may have started before the driver: delete that pod"
                                : "");
    }

    /** Returns true if this is the name of a DRA driver's pod or DaemonSet. */
    static boolean isDriver(String name) {
        return name.contains("dra") && name.contains("kubelet-plugin");
    }

    /**
     * Returns the bound pods that have not ended and run a DRA driver for GPUs of this vendor, or of an unknown vendor.
     */
    static List<PodFacts> driversOf(GpuVendor vendor, List<PodFacts> pods) {
        return pods.stream()
                .filter(pod -> pod.isBound() && !pod.hasEnded() && isDriver(pod.name()))
                .filter(pod -> vendor(pod.image(), pod.namespace(), pod.name())
                        .filter(other -> other != vendor)
                        .isEmpty())
                .toList();
    }

    /**
     * Returns the vendor whose GPUs a plugin registers. The image is checked first, then the namespace, then the name.
     * Returns empty if none of them shows a vendor.
     */
    static Optional<GpuVendor> vendor(String image, String namespace, String name) {
        int tag = image.indexOf(':');
        String untagged = tag < 0 ? image : image.substring(0, tag);
        return GpuVendor.ofAddedImage(untagged)
                .or(() -> vendorIn(untagged))
                .or(() -> GpuVendor.ofAddedNamespace(namespace))
                .or(() -> vendorIn(namespace))
                .or(() -> vendorIn(name));
    }

    static Optional<GpuVendor> vendorIn(String text) {
        if (text.contains("rocm") || text.replace("amd64", "").contains("amd")) {
            return Optional.of(GpuVendor.AMD);
        }
        return text.contains("nvidia")
                ? Optional.of(GpuVendor.NVIDIA)
                : text.contains("intel") ? Optional.of(GpuVendor.INTEL) : Optional.empty();
    }

    /**
     * Returns the vendor that a plugin pod serves. If the pod does not show its vendor, the vendor is derived from the
     * GPU resources of its node.
     */
    private static GpuVendor servedBy(PodFacts pod, NodeFacts node) {
        return vendor(pod.image(), pod.namespace(), pod.name())
                .or(() -> Stream.of(GpuVendor.values())
                        .filter(vendor -> !vendor.own(node.node().capacity()).isEmpty())
                        .findFirst())
                .orElse(GpuVendor.NVIDIA);
    }

    List<PodFacts> on(NodeFacts node, GpuVendor vendor) {
        return plugins.getOrDefault(node.name(), List.of()).stream()
                .filter(pod -> servedBy(pod, node) == vendor)
                .toList();
    }

    /** Returns true if any plugin pod was collected. Otherwise the lack of a plugin pod on a node proves nothing. */
    boolean isAnywhere() {
        return !plugins.isEmpty();
    }

    /** Returns true if the image, namespace or name of at least one plugin pod shows this vendor. */
    boolean isAnywhere(GpuVendor vendor) {
        return plugins.values().stream()
                .flatMap(List::stream)
                .anyMatch(pod -> vendor(pod.image(), pod.namespace(), pod.name())
                        .filter(vendor::equals)
                        .isPresent());
    }

    /** Returns the pods of DRA drivers on the node. */
    List<PodFacts> driversOn(String node) {
        return drivers.getOrDefault(node, List.of());
    }

    /** Returns the pods on the node that are not ready and for which the node's device plugin waits. */
    List<PodFacts> unreadyInstallersOn(String node) {
        return installers.getOrDefault(node, List.of()).stream()
                .filter(pod -> !pod.isRunningAndReady())
                .sorted(Comparator.comparing(pod -> GpuComponent.of(pod.name()).orElseThrow()))
                .toList();
    }

    boolean hasReadyDriver(String node) {
        return driversOn(node).stream().anyMatch(PodFacts::isRunningAndReady);
    }
}
