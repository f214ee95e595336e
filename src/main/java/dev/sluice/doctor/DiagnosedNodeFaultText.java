package dev.sluice.doctor;

import dev.sluice.cluster.GpuDevicePlugins;
import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.doctor.facts.OwnerFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.PodState;
import dev.sluice.text.FirstFiveNames;
import dev.sluice.text.ShortText;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the sentences that explain a fault of a node, with the numbers, labels and pods that show the fault. */
final class DiagnosedNodeFaultText {

    /**
     * A MIG change that takes longer than this has probably failed. A change of some GPUs takes seconds, or minutes if
     * the node restarts.
     */
    private static final Duration LONGEST_CHANGE = Duration.ofMinutes(15);

    /**
     * Limits the length of a quoted message, in characters. The message is repeated for each node, so long messages
     * would fill the report.
     */
    private static final int LONGEST_QUOTE = 200;

    /**
     * Lists the labels that exclude a node from the GPU operator: the first label excludes all pods of the operator,
     * the second only the device plugin.
     */
    private static final List<String> DEPLOY_LABELS =
            List.of("nvidia.com/gpu.deploy.operands", "nvidia.com/gpu.deploy.device-plugin");

    /** The value of the {@link #DEPLOY_LABELS} while NVIDIA's driver manager replaces the driver. */
    private static final String PAUSED_FOR_DRIVER = "paused-for-driver-upgrade";

    /** The name of the init container that unloads the old driver before the driver's pod loads the new one. */
    private static final String DRIVER_MANAGER = "driver-manager";

    /** The label by which NVIDIA's operator selects the nodes on which it installs the driver. */
    private static final String DRIVER_LABEL = "nvidia.com/gpu.deploy.driver";

    /** The value of {@link #DRIVER_LABEL} if the operator found a driver on the host. */
    private static final String PRE_INSTALLED = "pre-installed";

    private static final String INIT_CONTAINER = "init container ";

    /** The end of the advice for a plugin pod that may run without NVIDIA's container runtime. */
    private static final String WITHOUT_RUNTIME = " is that its container does not run with the nvidia runtime: set"
            + " runtimeClassName: nvidia, or make nvidia the default runtime of containerd.";

    /** The waiting reason of a container that has ended several times. */
    private static final String CRASHES = "CrashLoopBackOff";

    /** The first words of the evidence about a DaemonSet that installs the driver on other nodes only. */
    static final String OTHER_DRIVER = "installs the driver on other nodes only: it ";

    /** The reason of the kubelet for a container that needed more memory than its limit. */
    private static final String OUT_OF_MEMORY = "OOMKilled";

    private static final String KMM = "kmm.node.kubernetes.io/";

    /** The label of a pod that builds or signs a kernel module. */
    private static final String KMM_KERNEL = KMM + "target-kernel";

    private DiagnosedNodeFaultText() {}

    /** Returns one or two sentences about a finding that is a fault ({@link FindingCode#isFault}). */
    public static String of(FindingCode code, DiagnosedNode node, ClusterFacts cluster) {
        return of(code, node, cluster, Optional.empty());
    }

    /**
     * Returns the sentences about a fault. A node can have devices of several vendors. If the devices of the vendor
     * {@code asked} have the fault, the sentences are about these devices.
     */
    public static String of(FindingCode code, DiagnosedNode node, ClusterFacts cluster, Optional<GpuVendor> asked) {
        return switch (code) {
            case MIG_CHANGE_FAILED ->
                "The change of the MIG configuration failed on node " + node.name() + ": " + change(node) + "."
                        + impossible(node);
            case MIG_CHANGE_RUNNING -> running(node, cluster);
            case MIG_INVALID ->
                "The MIG instances of node " + node.name() + " are not usable: " + DiagnosedGpuProduct.LABEL + "="
                        + node.product().name() + wanted(node) + strategy(node) + "." + impossible(node);
            case MIG_WITHOUT_INSTANCES ->
                "MIG is on, but no instance exists on node " + node.name() + ": " + change(node) + strategy(node)
                        + ", and " + GpuLabels.COUNT + "=" + node.label(GpuLabels.COUNT) + "." + impossible(node);
            case PLUGIN_NOT_REGISTERED -> notRegistered(node, cluster, asked) + condition(node);
            case PLUGIN_STOPPED -> stopped(node, cluster, asked) + condition(node);
            case UNHEALTHY_DEVICES -> unhealthy(node) + condition(node);
            default -> "";
        };
    }

    private static String condition(DiagnosedNode node) {
        String condition = node.facts().deviceCondition();
        return condition.isEmpty() ? "" : " The node's condition " + condition + ".";
    }

    /** Returns the value of a label, shortened, because a label from a snapshot file can have any length. */
    private static String shown(DiagnosedNode node, String key) {
        return ShortText.of(node.label(key), LONGEST_QUOTE);
    }

    private static String change(DiagnosedNode node) {
        return NodeFaults.WANTED + "=" + shown(node, NodeFaults.WANTED) + ", " + NodeFaults.STATE + "="
                + shown(node, NodeFaults.STATE);
    }

    /**
     * Returns a sentence if the requested MIG configuration has instances that the GPU model cannot have; empty
     * otherwise.
     */
    private static String impossible(DiagnosedNode node) {
        List<String> can = node.product()
                .profiles()
                .map(profile -> "all-" + profile)
                .distinct()
                .limit(FirstFiveNames.MOST)
                .toList();
        return !DiagnosedRepairSupply.isImpossible(node) || can.isEmpty()
                ? ""
                : " The model of the node cannot have such instances, so set " + NodeFaults.WANTED
                        + " to a configuration for it, such as " + String.join(", ", can) + ".";
    }

    private static String wanted(DiagnosedNode node) {
        return node.label(NodeFaults.WANTED).isEmpty()
                ? ""
                : ", " + NodeFaults.WANTED + "=" + shown(node, NodeFaults.WANTED);
    }

    private static String strategy(DiagnosedNode node) {
        return node.label(NodeFaults.STRATEGY).isEmpty()
                ? ""
                : ", " + NodeFaults.STRATEGY + "=" + shown(node, NodeFaults.STRATEGY);
    }

    private static String running(DiagnosedNode node, ClusterFacts cluster) {
        List<String> paused = NodeFaults.pausedLabels(node);
        String stuck = stuck(node, cluster);
        return "The MIG configuration of node " + node.name() + " is being changed: " + change(node)
                + (paused.isEmpty() ? "" : "; paused: " + FirstFiveNames.of(paused))
                + (stuck.isEmpty()
                        ? "."
                                + (node.facts().migLabelled() == null
                                        ? " If it lasts more than 15 minutes, the MIG manager's log says why."
                                        : "")
                        : "; it " + Evidence.STUCK + ", for " + stuck
                                + ". The MIG manager's log says why. It tries again" + " when " + NodeFaults.WANTED
                                + " changes, so set that label to another value and back.");
    }

    /** Returns the reason why a change of the MIG configuration does not end; empty if it may still end by itself. */
    private static String stuck(DiagnosedNode node, ClusterFacts cluster) {
        Instant began = node.facts().migLabelled();
        if (began != null && cluster.time() != null && !cluster.isWithin(began, LONGEST_CHANGE)) {
            return "it has lasted more than 15 minutes";
        }
        // While a node restarts for the change, the MIG manager cannot run there, so its absence is normal.
        if (!node.label(NodeFaults.STATE).equals("pending")
                || node.facts().ready().isNotTrue()) {
            return "";
        }
        List<PodFacts> managers = cluster.pods().stream()
                .filter(pod -> pod.isBound()
                        && !pod.hasEnded()
                        && GpuComponent.of(pod.name())
                                .filter(it -> it == GpuComponent.MIG_MANAGER)
                                .isPresent())
                .toList();
        List<PodFacts> own = managers.stream()
                .filter(pod -> pod.nodeName().equals(node.name()))
                .toList();
        if (managers.isEmpty() || own.stream().anyMatch(PodFacts::isRunningAndReady)) {
            return isQuiet(node, cluster)
                    ? "the kubelet has dropped what the paused device plugin offered, and no event of the last 15 minutes"
                            + " tells of a step"
                    : "";
        }
        return own.isEmpty()
                ? "no pod of the MIG manager is on the node"
                : "the MIG manager's " + state(own.getFirst(), "pod ");
    }

    /**
     * Returns true if the MIG manager seems to have given up the change. Two signs together show this: the resources of
     * the paused plugin are 0, and no event of the last 15 minutes shows progress. The kubelet sets the resources to 0
     * five minutes after the plugin ended. Returns false if the start of the change is known, because the duration of
     * the change is then checked instead.
     */
    private static boolean isQuiet(DiagnosedNode node, ClusterFacts cluster) {
        Amounts capacity = node.capacityOf(GpuVendor.NVIDIA);
        List<OwnerFacts> sets = pluginSets(GpuVendor.NVIDIA, cluster);
        return node.facts().migLabelled() == null
                && cluster.time() != null
                && !NodeFaults.pausedLabels(node).isEmpty()
                && !capacity.isEmpty()
                && capacity.isZero()
                && !sets.isEmpty()
                && cluster.has(ClusterFactKind.EVENTS)
                && cluster.unread().stream().noneMatch(it -> it.plural().equals(ClusterFactKind.EVENTS.plural()))
                && cluster.events().stream()
                        .filter(event -> event.time() == null || cluster.isWithin(event.time(), LONGEST_CHANGE))
                        .noneMatch(event -> isOfNode(event, node) || isOfSet(event, sets));
    }

    private static boolean isOfNode(EventFacts event, DiagnosedNode node) {
        return event.kind().equals("Node") && event.name().equals(node.name());
    }

    private static boolean isOfSet(EventFacts event, List<OwnerFacts> sets) {
        return sets.stream()
                .anyMatch(set -> event.namespace().equals(set.namespace())
                        && event.name().startsWith(set.name()));
    }

    private static GpuVendor vendorOf(DiagnosedNode node, Optional<GpuVendor> asked, Predicate<GpuVendor> isFaulty) {
        return asked.filter(isFaulty)
                .or(() -> node.hardware().keySet().stream().filter(isFaulty).findFirst())
                .orElseGet(() -> node.hardware().keySet().iterator().next());
    }

    private static String notRegistered(DiagnosedNode node, ClusterFacts cluster, Optional<GpuVendor> asked) {
        GpuVendor vendor = vendorOf(node, asked, it -> NodeFaults.isNotRegistered(node, it));
        List<PodFacts> own =
                DiagnosedDevicePluginPods.driversOf(vendor, node.plugins().drivers());
        boolean byDriver = !isForPlugin(node, vendor, cluster);
        Optional<String> mapping = byDriver ? mappingClass(vendor, cluster) : Optional.empty();
        if (mapping.isPresent()) {
            return "Node " + node.name() + " has GPUs by " + vendor.title() + " ("
                    + node.shownBy(vendor).orElse("") + "), which the DeviceClass " + mapping.get()
                    + " hands out, but no ResourceSlice of the node was found: "
                    + drivers(own)
                    + ".";
        }
        String lead = node.suspects(vendor)
                ? "No node is labelled as having GPUs by " + vendor.title() + ", and on node " + node.name()
                        + " a device plugin runs that has registered none: "
                : "Node " + node.name() + " has GPUs by " + vendor.title() + " ("
                        + node.shownBy(vendor).orElse("")
                        + "), but no device plugin has registered one since the node joined: ";
        String slices = byDriver && !own.isEmpty()
                ? " A DRA driver is to offer them, but no ResourceSlice of the node was found: " + drivers(own) + "."
                : "";
        return lead + pluginOn(node, vendor, cluster) + whyNone(node, vendor, cluster) + "." + slices
                + undiscovered(node, vendor, cluster) + built(node, vendor, cluster) + awaited(node, vendor, cluster)
                + operator(node, vendor, cluster) + advice(node, vendor);
    }

    /**
     * Returns true if a device plugin is on the node or has a DaemonSet in the cluster, or if the node has a
     * ResourceSlice. Otherwise the GPUs may be missing because there is no DRA driver.
     */
    private static boolean isForPlugin(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        return !node.plugins().on(vendor).isEmpty()
                || !pluginSets(vendor, cluster).isEmpty()
                || cluster.dra().sliceNodes().contains(node.name());
    }

    /** Returns a DeviceClass that maps a resource of the vendor; empty if there is none. */
    private static Optional<String> mappingClass(GpuVendor vendor, ClusterFacts cluster) {
        return cluster.dra().classes().stream()
                .filter(it -> !it.extendedResource().isEmpty()
                        && GpuVendor.of(new ResourceName(it.extendedResource()))
                                .filter(vendor::equals)
                                .isPresent())
                .map(DraFacts.DeviceClassFacts::name)
                .findFirst();
    }

    /** Returns a clause about the given pods of a DRA driver, which have to publish the ResourceSlices. */
    static String drivers(List<PodFacts> pods) {
        return pods.isEmpty()
                ? "no pod of its DRA driver was found"
                : FirstFiveNames.of(pods.stream()
                        .map(pod -> state(pod, "its DRA driver's pod "))
                        .toList());
    }

    /**
     * Returns a sentence about what the device plugin waits for. These are pods of the driver, the container toolkit
     * and MPS that are not ready, and DaemonSets that have no such pod on the node.
     */
    private static String awaited(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        List<PodFacts> pods =
                node.plugins().isReady(vendor) ? List.of() : node.plugins().awaited(vendor);
        Map<String, String> sets = keptOff(node, vendor, cluster);
        Stream<String> unready = pods.stream()
                .map(pod -> "the " + GpuComponent.of(pod.name()).orElseThrow().title() + "'s "
                        + node.plugins().state(pod, "pod "));
        String told = Stream.of(
                        daemonSets(sets, /* ofOtherNodes= */ true),
                        unready,
                        daemonSets(sets, /* ofOtherNodes= */ false))
                .flatMap(it -> it)
                .limit(FirstFiveNames.MOST)
                .collect(Collectors.joining(", "));
        return preInstalled(node, vendor)
                + (told.isEmpty() ? "" : " Look first at what a plugin needs: " + told + ".")
                + pods.stream()
                        .filter(pod -> pod.state().start().waiting().endsWith(DRIVER_MANAGER)
                                || pod.state().trouble().contains(DRIVER_MANAGER))
                        .findFirst()
                        .map(_ -> unloading(node, vendor))
                        .orElse("");
    }

    /**
     * Returns a clause for each DaemonSet in {@code sets} that installs the driver only on other nodes. If
     * {@code ofOtherNodes} is false, returns a clause for each of the remaining DaemonSets instead.
     */
    private static Stream<String> daemonSets(Map<String, String> sets, boolean ofOtherNodes) {
        return sets.entrySet().stream()
                .filter(set -> set.getValue().startsWith(OTHER_DRIVER) == ofOtherNodes)
                .map(set -> "DaemonSet " + set.getKey() + " " + set.getValue());
    }

    /**
     * Returns a sentence if the operator installs no driver because it found one on the host. Returns an empty text if
     * the labels of feature discovery show that this driver is loaded.
     */
    private static String preInstalled(DiagnosedNode node, GpuVendor vendor) {
        return vendor == GpuVendor.NVIDIA
                        && node.label(DRIVER_LABEL).equals(PRE_INSTALLED)
                        && !node.plugins().isReady(vendor)
                        && GpuHardware.driverOf(node).isEmpty()
                        && !hasDriverPod(node)
                ? " The operator installs no driver there, because it takes one on the host for installed ("
                        + DRIVER_LABEL + "=" + PRE_INSTALLED + "): look whether nvidia-smi works on the node."
                : "";
    }

    private static boolean hasDriverPod(DiagnosedNode node) {
        return node.use().bound().stream().anyMatch(pod -> GpuComponent.DRIVER.isOf(pod.name()));
    }

    /**
     * Maps each DaemonSet of NVIDIA's driver or container toolkit that has no pod on the node, as
     * {@code namespace/name}, to the reason. The reason is a taint, or that the DaemonSet selects other nodes
     * ({@link #driversOfOthers}). The map is empty for other vendors, and if a plugin pod of the node is ready.
     */
    static Map<String, String> keptOff(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        Map<String, String> sets = new LinkedHashMap<>();
        if (vendor == GpuVendor.NVIDIA && !node.plugins().isReady(vendor)) {
            cluster.owners().stream()
                    .filter(set -> set.kind().equals("DaemonSet") && isKeptOff(set, node))
                    .filter(set -> GpuComponent.of(set.name())
                            .filter(it -> it == GpuComponent.DRIVER || it == GpuComponent.TOOLKIT)
                            .isPresent())
                    .forEach(set -> sets.put(fullName(set), whyNot(set, node, cluster)));
            driversOfOthers(node, cluster)
                    .forEach(
                            set -> sets.put(fullName(set), OTHER_DRIVER + whyNot(set, node, cluster) + has(set, node)));
        }
        return sets;
    }

    /**
     * Returns the DaemonSets of the driver if all of them select other nodes although the operator should install a
     * driver on this node. Returns an empty list otherwise. A DaemonSet for precompiled drivers selects nodes by their
     * kernel, and on OpenShift by the version of their operating system.
     */
    private static List<OwnerFacts> driversOfOthers(DiagnosedNode node, ClusterFacts cluster) {
        if (!node.label(DRIVER_LABEL).equals("true") || hasDriverPod(node)) {
            return List.of();
        }
        List<OwnerFacts> drivers = cluster.owners().stream()
                .filter(set -> set.kind().equals("DaemonSet") && GpuComponent.DRIVER.isOf(set.name()))
                .toList();
        return drivers.stream().allMatch(set -> selectsOthers(set, node)) ? drivers : List.of();
    }

    private static boolean selectsOthers(OwnerFacts set, DiagnosedNode node) {
        return set.template()
                .constraints()
                .isRefused(
                        node.facts().node(),
                        refusal -> refusal instanceof PodNodeMismatch.SelectorMismatch
                                || refusal instanceof PodNodeMismatch.AffinityMismatch);
    }

    /**
     * Returns a clause with the labels of the node whose values differ from the DaemonSet's node selector; empty if
     * there are none.
     */
    private static String has(OwnerFacts set, DiagnosedNode node) {
        List<String> others = set.template().constraints().nodeSelector().keySet().stream()
                .filter(key -> !node.label(key).isEmpty())
                .filter(key -> !node.label(key)
                        .equals(set.template().constraints().nodeSelector().get(key)))
                .sorted()
                .map(key -> key + "=" + shown(node, key))
                .toList();
        return others.isEmpty() ? "" : ", but the node has " + FirstFiveNames.of(others);
    }

    /** Returns a sentence about the pods that may prevent the driver manager from unloading the old driver. */
    private static String unloading(DiagnosedNode node, GpuVendor vendor) {
        List<String> users = node.use().bound().stream()
                .filter(pod -> !vendor.own(pod.ask().requests()).isZero())
                .map(PodFacts::fullName)
                .toList();
        return " The driver manager unloads the driver that was loaded before, which fails while it is in use"
                + (users.isEmpty() ? "." : ": " + FirstFiveNames.of(users) + " on the node request GPUs.");
    }

    /**
     * Returns advice about a plugin pod. If a plugin pod is ready, the advice says where to find why it offers no
     * device. Otherwise it is the advice of {@link #crashing}.
     */
    private static String advice(DiagnosedNode node, GpuVendor vendor) {
        return node.plugins().on(vendor).stream()
                .filter(PodFacts::isRunningAndReady)
                .findFirst()
                .map(pod -> " Its log says which devices it found: " + log(pod) + "." + runtime(pod, vendor))
                .orElseGet(() -> crashing(node, vendor));
    }

    private static String log(PodFacts pod) {
        return "kubectl -n " + pod.namespace() + " logs " + pod.name();
    }

    /**
     * Returns advice for a plugin pod that crashes without a message of the kubelet. Returns an empty text if there is
     * no such pod, or if the plugin still waits for other pods.
     */
    private static String crashing(DiagnosedNode node, GpuVendor vendor) {
        return node.plugins().awaited(vendor).isEmpty()
                ? node.plugins().on(vendor).stream()
                        .filter(pod -> pod.state().trouble().equals(CRASHES)
                                && !pod.state().start().waiting().startsWith(INIT_CONTAINER)
                                && node.plugins().said(pod).isEmpty())
                        .findFirst()
                        .map(pod -> " Its log says why it ends: " + log(pod) + "."
                                + (mayLackRuntime(pod, vendor) ? " A usual cause" + WITHOUT_RUNTIME : ""))
                        .orElse("")
                : "";
    }

    /**
     * Returns true if NVIDIA's plugin runs with the default container runtime, which may give it no driver. Returns
     * false for other images. Google's plugin, for example, mounts the driver of the host itself.
     */
    private static boolean mayLackRuntime(PodFacts pod, GpuVendor vendor) {
        return vendor == GpuVendor.NVIDIA
                && pod.runtimeClass().isEmpty()
                && (pod.image().isEmpty() || pod.image().startsWith("k8s-device-plugin"));
    }

    private static String runtime(PodFacts pod, GpuVendor vendor) {
        if (vendor != GpuVendor.NVIDIA) {
            return " The usual cause is a driver that is not loaded on the node.";
        }
        if (pod.image().contains("kubevirt") || pod.name().contains("kubevirt")) {
            return " The usual cause is that the GPUs are not bound to the driver vfio-pci, with which they are handed"
                    + " to virtual machines.";
        }
        return pod.runtimeClass().isEmpty()
                ? " The usual cause" + WITHOUT_RUNTIME
                : " Its runtime class is " + pod.runtimeClass()
                        + ", so look whether the driver is loaded on the node, and whether that class leads to the"
                        + " nvidia runtime.";
    }

    private static String pluginOn(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        List<PodFacts> pods = node.plugins().pods().getOrDefault(vendor, List.of());
        if (!cluster.has(ClusterFactKind.PODS)) {
            return "pods were not read";
        }
        return pods.isEmpty()
                ? "no plugin pod is on the node"
                : pods.stream()
                        .map(pod -> node.plugins().state(pod, "plugin pod "))
                        .collect(Collectors.joining(", "));
    }

    /**
     * Describes a plugin pod, for example {@code plugin pod gpu-operator/plugin-x is Running, not ready:
     * CrashLoopBackOff}.
     */
    public static String state(PodFacts pod) {
        return state(pod, "plugin pod ");
    }

    static String state(PodFacts pod, String title) {
        String trouble = trouble(pod.state());
        return title + pod.fullName() + " is " + pod.state().phase() + ", "
                + (pod.state().ready() ? "ready" : "not ready") + (trouble.isEmpty() ? "" : ": " + trouble);
    }

    /**
     * Returns a text about why a pod is not ready; empty if it is unknown. If an init container is the reason, the text
     * names this container.
     */
    private static String trouble(PodState state) {
        String waiting = state.start().waiting();
        return state.trouble()
                + (waiting.startsWith(INIT_CONTAINER) ? " of its " + waiting : "")
                + (state.start().lastEnd().contains(OUT_OF_MEMORY)
                        ? ", ended last with " + state.start().lastEnd()
                        : "");
    }

    private static String whyNone(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        if (!node.plugins().pods().getOrDefault(vendor, List.of()).isEmpty()) {
            return "";
        }
        String label = DEPLOY_LABELS.stream()
                .filter(key -> !node.label(key).isEmpty() && !node.label(key).equals("true"))
                .map(key -> "; " + key + "=" + shown(node, key) + resumed(node, key))
                .collect(Collectors.joining());
        List<OwnerFacts> sets = pluginSets(vendor, cluster);
        if (node.facts().hasBuiltInPlugin(vendor)) {
            return label + "; its operating system runs the plugin as a service without a pod: look at the log of that"
                    + " service, and restart the node if it has failed";
        }
        if (sets.isEmpty()) {
            List<String> drivers = setsWithoutPods(vendor, cluster).stream()
                    .map(set -> "; a DRA driver is installed: " + idle(set, List.of(), cluster))
                    .toList();
            return label
                    + (cluster.has(ClusterFactKind.DAEMON_SETS) ? "; no DaemonSet of a device plugin exists" : "")
                    + String.join("", drivers);
        }
        return label
                + sets.stream()
                        .map(set -> "; DaemonSet " + fullName(set) + " " + whyNot(set, node, cluster))
                        .collect(Collectors.joining());
    }

    /**
     * Returns a sentence if the node lacks a label that the device plugin selects. It names the pods of feature
     * discovery that are not ready, and the DaemonSets whose pods a taint keeps off the node.
     */
    private static String undiscovered(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        List<String> told = isUnlabelled(node, vendor, cluster) ? withoutDiscovery(node, cluster) : List.of();
        return told.isEmpty() ? "" : " Feature discovery does not label the node: " + FirstFiveNames.of(told) + ".";
    }

    /** Returns true if the node has no plugin pod and lacks a label that a plugin's DaemonSet selects. */
    private static boolean isUnlabelled(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        return node.plugins().on(vendor).isEmpty()
                && pluginSets(vendor, cluster).stream()
                        .anyMatch(set -> set.template()
                                .constraints()
                                .isRefused(node.facts().node(), PodNodeMismatch.SelectorMismatch.class::isInstance));
    }

    /**
     * Returns the pods of feature discovery that should set labels on the node but are not ready. Returns an empty list
     * if the node has a plugin pod or all labels that a plugin selects.
     */
    static List<PodFacts> labellers(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        return isUnlabelled(node, vendor, cluster)
                ? node.plugins().down().discovery().stream()
                        .filter(pod -> labels(pod, node))
                        .toList()
                : List.of();
    }

    /**
     * Returns true if this pod of feature discovery labels the node: it is the worker on the node, or the master, which
     * labels all nodes.
     */
    private static boolean labels(PodFacts pod, DiagnosedNode node) {
        return !pod.name().contains("worker") || pod.nodeName().equals(node.name());
    }

    /**
     * Returns clauses about node feature discovery. There is one clause for each DaemonSet with a pod that a taint
     * keeps off the node, and one for each pod that labels the node but is not ready.
     */
    private static List<String> withoutDiscovery(DiagnosedNode node, ClusterFacts cluster) {
        return Stream.concat(
                        discoveryKeptOff(node, cluster).stream(),
                        node.plugins().down().discovery().stream()
                                .filter(pod -> labels(pod, node))
                                .map(pod -> node.plugins().state(pod, "its pod ")))
                .toList();
    }

    /** Returns a clause for each DaemonSet of node feature discovery whose pods a taint keeps off the node. */
    static List<String> discoveryKeptOff(DiagnosedNode node, ClusterFacts cluster) {
        return cluster.owners().stream()
                .filter(set -> set.kind().equals("DaemonSet") && isKeptOff(set, node))
                .filter(set -> GpuComponent.NODE_DISCOVERY.isOf(set.name()))
                .map(set -> "DaemonSet " + fullName(set) + " " + whyNot(set, node, cluster))
                .toList();
    }

    /**
     * Returns a clause about who resets this label of the node. Returns an empty text unless the driver manager has set
     * the label to pause the plugin.
     */
    private static String resumed(DiagnosedNode node, String key) {
        if (!node.label(key).contains(PAUSED_FOR_DRIVER)) {
            return "";
        }
        return hasDriverPod(node)
                ? ", which the driver's pod changes back once the driver is loaded"
                : ", which the driver's pod changes back, but none is on the node: set it to true where the driver is"
                        + " installed otherwise";
    }

    static String fullName(OwnerFacts set) {
        return set.namespace() + "/" + set.name();
    }

    static List<OwnerFacts> pluginSets(GpuVendor vendor, ClusterFacts cluster) {
        return cluster.owners().stream()
                .filter(owner -> isPluginSet(owner, vendor))
                .toList();
    }

    /** Returns the DaemonSets of device plugins that select no node and have no pod. */
    static List<OwnerFacts> idleSets(GpuVendor vendor, ClusterFacts cluster) {
        return pluginSets(vendor, cluster).stream()
                .filter(set -> set.wanted() == 0 && set.reported() == 0)
                .toList();
    }

    /**
     * Returns the DaemonSets of the vendor's DRA drivers that have no pod, because they select no node or cannot create
     * their pods.
     */
    static List<OwnerFacts> setsWithoutPods(GpuVendor vendor, ClusterFacts cluster) {
        return cluster.owners().stream()
                .filter(set -> set.kind().equals("DaemonSet")
                        && set.reported() == 0
                        && DiagnosedDevicePluginPods.isDriver(set.name())
                        && DiagnosedDevicePluginPods.vendor("", set.namespace(), set.name())
                                .filter(vendor::equals)
                                .isPresent())
                .toList();
    }

    /**
     * Returns a clause about why a DaemonSet has no pod. If its pods are refused, the clause quotes the refusal. If no
     * node has the labels that it selects, the clause names these labels. Otherwise the clause says what keeps its pods
     * off the first node with a taint that they do not tolerate.
     */
    static String idle(OwnerFacts set, List<DiagnosedNode> nodes, ClusterFacts cluster) {
        if (set.wanted() > 0) {
            return "DaemonSet " + fullName(set) + " " + refused(set, cluster).orElse("has no pod yet");
        }
        String lead = "DaemonSet " + fullName(set) + " wants no node";
        List<String> labels = set.template().constraints().labelsAsked();
        List<DiagnosedNode> selected =
                nodes.stream().filter(node -> !selectsOthers(set, node)).toList();
        return selected.isEmpty() && !labels.isEmpty()
                ? lead + ", because none has the labels that it asks for (" + FirstFiveNames.of(labels) + ")"
                : keepingOff(set, nodes)
                        .map(node -> lead + "; on node " + node.name() + " it " + whyNot(set, node, cluster))
                        .orElse(lead);
    }

    /** Returns the first node that the DaemonSet selects but whose taint keeps the DaemonSet's pods off. */
    private static Optional<DiagnosedNode> keepingOff(OwnerFacts set, List<DiagnosedNode> nodes) {
        return nodes.stream()
                .filter(node -> !selectsOthers(set, node) && isKeptOff(set, node))
                .findFirst();
    }

    /**
     * Returns the taint that {@link #idle} gives as the reason why the DaemonSet has no pod; empty if no taint is the
     * reason.
     */
    static Optional<Taint> idleByTaint(OwnerFacts set, List<DiagnosedNode> nodes) {
        return set.wanted() > 0 ? Optional.empty() : keepingOff(set, nodes).flatMap(node -> taint(set, node));
    }

    private static boolean isPluginSet(OwnerFacts owner, GpuVendor vendor) {
        return owner.kind().equals("DaemonSet")
                && GpuDevicePlugins.isName(owner.name())
                && DiagnosedDevicePluginPods.vendor("", owner.namespace(), owner.name())
                                .orElse(GpuVendor.NVIDIA)
                        == vendor;
    }

    /**
     * Maps each DaemonSet of the device plugin, as {@code namespace/name}, to the reason why it has no pod on this
     * node. The map is empty if the node has a plugin pod.
     */
    public static Map<String, String> withoutPod(DiagnosedNode node, ClusterFacts cluster, Optional<GpuVendor> asked) {
        GpuVendor vendor =
                vendorOf(node, asked, it -> NodeFaults.isNotRegistered(node, it) || NodeFaults.isStopped(node, it));
        Map<String, String> sets = new LinkedHashMap<>();
        if (node.plugins().pods().getOrDefault(vendor, List.of()).isEmpty()) {
            pluginSets(vendor, cluster).forEach(set -> sets.put(fullName(set), whyNot(set, node, cluster)));
        }
        return sets;
    }

    /** Returns true if a taint of the node excludes the pods of the DaemonSet. */
    static boolean isKeptOff(OwnerFacts set, DiagnosedNode node) {
        return taint(set, node).isPresent();
    }

    private static Optional<Taint> taint(OwnerFacts set, DiagnosedNode node) {
        return node.facts().node().taints().stream()
                .filter(Taint::keepsPodsOff)
                .filter(it -> !it.isOfNodeState())
                .filter(it -> !set.template().constraints().tolerates(it))
                .findFirst();
    }

    static String whyNot(OwnerFacts set, DiagnosedNode node, ClusterFacts cluster) {
        Optional<Taint> taint = taint(set, node);
        List<String> missing = set.template().constraints().nodeSelector().entrySet().stream()
                .filter(wanted ->
                        !wanted.getValue().equals(node.facts().node().labels().get(wanted.getKey())))
                .map(wanted -> wanted.getKey() + "=" + wanted.getValue())
                .sorted()
                .toList();
        String why = Stream.of(
                        taint.map(it -> "does not tolerate the taint " + it),
                        missing.isEmpty()
                                ? affinity(set, node)
                                : Optional.of("selects nodes with " + FirstFiveNames.of(missing)
                                        + (missing.stream().anyMatch(it -> it.startsWith(KMM))
                                                ? ", which kernel module management sets once it has loaded the driver"
                                                : "")),
                        refused(set, cluster))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
        return why.isEmpty() ? "has no pod there" : why;
    }

    /**
     * Returns a clause that quotes the newest event about pods that the DaemonSet could not create; empty if there is
     * no recent one.
     */
    private static Optional<String> refused(OwnerFacts set, ClusterFacts cluster) {
        return cluster.events().stream()
                .filter(event -> event.reason().equals("FailedCreate")
                        && event.kind().equals("DaemonSet")
                        && event.name().equals(set.name())
                        && event.namespace().equals(set.namespace())
                        && cluster.isFresh(event.time()))
                .reduce(EventFacts::later)
                .map(it -> "cannot create its pods: " + ShortText.of(it.text(), LONGEST_QUOTE));
    }

    /**
     * Returns the pods that build the kernel module and have not succeeded. A plugin's DaemonSets wait for this module.
     * The pods are recognised by a label of kernel module management (KMM).
     */
    static List<PodFacts> builders(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        Set<String> namespaces = pluginSets(vendor, cluster).stream()
                .filter(set -> set.template().constraints().nodeSelector().keySet().stream()
                        .anyMatch(key -> key.startsWith(KMM)
                                && !node.facts().node().labels().containsKey(key)))
                .map(OwnerFacts::namespace)
                .collect(Collectors.toSet());
        return namespaces.isEmpty() || !node.plugins().on(vendor).isEmpty()
                ? List.of()
                : cluster.pods().stream()
                        .filter(pod -> namespaces.contains(pod.namespace())
                                && pod.ask().labels().containsKey(KMM_KERNEL)
                                && !pod.state().phase().equals("Succeeded"))
                        .toList();
    }

    private static String built(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        List<String> pods = builders(node, vendor, cluster).stream()
                .map(pod -> state(pod, "pod "))
                .toList();
        return pods.isEmpty()
                ? ""
                : " Kernel module management has not built the driver: " + FirstFiveNames.of(pods) + ".";
    }

    private static Optional<String> affinity(OwnerFacts set, DiagnosedNode node) {
        return set.template()
                        .constraints()
                        .isRefused(node.facts().node(), PodNodeMismatch.AffinityMismatch.class::isInstance)
                ? Optional.of("has a node affinity that the node does not match: "
                        + FirstFiveNames.of(set.template().constraints().labelsAsked()))
                : Optional.empty();
    }

    private static String stopped(DiagnosedNode node, ClusterFacts cluster, Optional<GpuVendor> asked) {
        GpuVendor vendor = vendorOf(node, asked, it -> NodeFaults.isStopped(node, it));
        String lead = "The device plugin of node " + node.name();
        if (node.plugins().isReady(vendor)) {
            return lead + " offers no device: " + numbers(node, vendor) + ", although "
                    + pluginOn(node, vendor, cluster)
                    + ". It found no device, or the kubelet restarted and the plugin has not registered again."
                    + advice(node, vendor);
        }
        return lead + " has stopped: " + numbers(node, vendor) + "; " + pluginOn(node, vendor, cluster)
                + whyNone(node, vendor, cluster) + "." + undiscovered(node, vendor, cluster)
                + awaited(node, vendor, cluster) + operator(node, vendor, cluster);
    }

    private static String operator(DiagnosedNode node, GpuVendor vendor, ClusterFacts cluster) {
        return node.plugins().on(vendor).isEmpty()
                ? DiagnosedGpuOperatorPods.sentence(vendor, node.plugins().down(), cluster)
                : "";
    }

    private static String numbers(DiagnosedNode node, GpuVendor vendor) {
        StringBuilder text = new StringBuilder();
        node.capacityOf(vendor)
                .forEach((resource, amount) -> text.append(text.isEmpty() ? "" : ", ")
                        .append(resource)
                        .append(" has capacity ")
                        .append(amount)
                        .append(" and allocatable ")
                        .append(node.allocatable(resource)));
        return text.toString();
    }

    private static String unhealthy(DiagnosedNode node) {
        StringBuilder text = new StringBuilder();
        NodeFaults.unhealthy(node)
                .forEach((resource, amount) -> text.append(text.isEmpty() ? "" : ", ")
                        .append(resource)
                        .append(" has capacity ")
                        .append(amount)
                        .append(" and allocatable ")
                        .append(node.allocatable(resource))
                        .append(droppedOut(node, resource, amount)));
        return "Devices of node " + node.name() + " are unhealthy: " + text + "." + health(node);
    }

    /**
     * Returns advice about the device plugin that reports the devices as unhealthy; empty if no plugin is ready. If all
     * devices are unhealthy, the advice says that the plugin may also have lost its connection to the kubelet.
     */
    private static String health(DiagnosedNode node) {
        Amounts unhealthy = NodeFaults.unhealthy(node);
        Optional<PodFacts> plugin = Stream.of(GpuVendor.values())
                .filter(vendor -> !vendor.own(unhealthy).isEmpty())
                .flatMap(vendor -> node.plugins().on(vendor).stream())
                .filter(PodFacts::isRunningAndReady)
                .findFirst();
        boolean all = !unhealthy.anyMatch((name, _) -> node.allocatable(name) > 0);
        return plugin.map(pod ->
                        (all ? " Or the plugin lost its connection to the kubelet less than five minutes ago." : "")
                                + " The log of the plugin pod " + pod.fullName()
                                + " says why; NVIDIA's names the Xid error. Restart it after the repair, because it may not count"
                                + " the devices again by itself.")
                .orElse("");
    }

    private static String droppedOut(DiagnosedNode node, ResourceName resource, long registered) {
        long missing = NodeFaults.labelled(node, resource) - registered;
        return missing <= 0
                ? ""
                : "; " + missing + (missing == 1 ? " GPU has" : " GPUs have") + " dropped out, for " + GpuLabels.COUNT
                        + "=" + node.label(GpuLabels.COUNT) + " and " + registered + " are registered";
    }
}
