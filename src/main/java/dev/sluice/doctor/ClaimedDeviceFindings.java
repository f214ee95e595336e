package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.dra.AttributeValue.StringAttribute;
import dev.sluice.cluster.dra.Device;
import dev.sluice.cluster.dra.DevicePool.PooledDevice;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds problems of the GPUs that a node offers in ResourceSlices. */
final class ClaimedDeviceFindings {

    private ClaimedDeviceFindings() {}

    private static Stream<PooledDevice> gpus(DiagnosedNode node) {
        return node.devices().stream()
                .filter(device -> GpuVendor.isDriver(device.id().driver()));
    }

    static boolean hasGpus(DiagnosedNode node) {
        return gpus(node).findFirst().isPresent();
    }

    /**
     * Returns the evidence if every GPU in the node's ResourceSlices has a taint that keeps pods off; empty otherwise.
     */
    static Optional<String> tainted(DiagnosedNode node) {
        List<PooledDevice> devices = gpus(node).toList();
        if (devices.isEmpty() || !devices.stream().allMatch(it -> it.device().isTainted())) {
            return Optional.empty();
        }
        List<String> told = devices.stream()
                .map(it -> it.device().name() + " (" + taint(it.device()) + ")")
                .toList();
        return Optional.of("Node " + node.name() + " offers "
                + CountText.of(devices.size(), "device")
                + " by dynamic resource allocation, and none without a taint: "
                + FirstFiveNames.of(told)
                + ". Only a claim that tolerates the taint gets one, and no pod that asks for a resource name.");
    }

    private static String taint(Device device) {
        return device.taints().stream()
                .filter(it -> it.keepsPodsOff())
                .map(Object::toString)
                .findFirst()
                .orElse("");
    }

    /**
     * Returns the evidence if a device plugin and a DRA driver offer the same GPUs; empty otherwise. They may also
     * offer different GPUs of one node, such as 4 of 8 GPUs each. If a label shows the number of GPUs, the evidence is
     * therefore returned only if both together offer more.
     */
    static Optional<String> twice(DiagnosedNode node) {
        return Stream.of(GpuVendor.values())
                .flatMap(vendor -> twice(node, vendor).stream())
                .findFirst();
    }

    private static Optional<String> twice(DiagnosedNode node, GpuVendor vendor) {
        Amounts byPlugin = vendor.own(
                        node.facts().node().byClaims().pluginAllocatable().isEmpty()
                                ? node.facts().node().allocatable()
                                : node.facts().node().byClaims().pluginAllocatable())
                .only((name, amount) -> amount > 0
                        && !GpuVendor.isForMonitoring(name)
                        && !node.facts().node().claims(name));
        List<PooledDevice> devices = gpus(node)
                .filter(it -> GpuVendor.ofDriver(it.id().driver()).equals(Optional.of(vendor)))
                .filter(it -> isWhole(it.device()))
                .toList();
        if (byPlugin.isEmpty()
                || devices.isEmpty()
                || devices.size() + wholeOf(node, byPlugin) <= known(node, vendor)) {
            return Optional.empty();
        }
        return Optional.of(
                "Node " + node.name() + " offers GPUs by " + vendor.title() + " twice: by the device plugin ("
                        + byPlugin.listed() + ") and by ResourceSlices of "
                        + devices.getFirst().id().driver() + " (" + CountText.of(devices.size(), "device")
                        + "). Each side counts only its own pods, so that a pod and a claim can get the same GPU: turn one of the"
                        + " two off on this node.");
    }

    /**
     * Returns true if the device is a whole GPU. Parts are not counted, because a GPU would then be counted more than
     * once.
     */
    private static boolean isWhole(Device device) {
        return !(device.attributes().get("type") instanceof StringAttribute(String type)) || type.equals("gpu");
    }

    /**
     * Returns the smallest number of GPUs that can provide the devices of the plugin. This is 1 for shared devices,
     * because all of them can be on one GPU.
     */
    private static long wholeOf(DiagnosedNode node, Amounts byPlugin) {
        boolean shared = GpuHardwareLabelNumber.of(node.label("nvidia.com/gpu.replicas")) > 1;
        return shared ? 1 : Math.max(1, byPlugin.get(ResourceName.NVIDIA_GPU));
    }

    /** Returns the number of GPUs of the node, from the label of feature discovery; 0 if the number is not known. */
    private static long known(DiagnosedNode node, GpuVendor vendor) {
        return vendor == GpuVendor.NVIDIA && !node.product().isSlice()
                ? Math.max(0, GpuHardwareLabelNumber.of(node.label(GpuLabels.COUNT)))
                : 0;
    }
}
