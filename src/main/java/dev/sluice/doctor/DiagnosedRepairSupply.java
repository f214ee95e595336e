package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Optional;

/** Estimates how many devices of a resource a node would offer after a fault is repaired. */
final class DiagnosedRepairSupply {

    /**
     * Stands for an unknown number of devices that a repair would add. The value is larger than any request, so the
     * repair is assumed to add enough.
     */
    public static final long ENOUGH = Long.MAX_VALUE / 4;

    private DiagnosedRepairSupply() {}

    public static long after(FindingCode fault, DiagnosedNode node, ResourceName resource) {
        return switch (fault) {
            case MIG_CHANGE_FAILED, MIG_CHANGE_RUNNING -> afterChange(node, resource, node.label(NodeFaults.WANTED));
            case MIG_INVALID, MIG_WITHOUT_INSTANCES -> afterInstances(node, resource);
            case PLUGIN_NOT_REGISTERED, PLUGIN_STOPPED -> afterRegistration(node, resource);
            case UNHEALTHY_DEVICES -> Math.max(node.capacity(resource), NodeFaults.labelled(node, resource));
            default -> 0;
        };
    }

    private static long afterRegistration(DiagnosedNode node, ResourceName resource) {
        if (node.capacity(resource) > 0) {
            return node.capacity(resource);
        }
        if (GpuVendor.of(resource).filter(node::suspects).isPresent()) {
            return ENOUGH;
        }
        if (GpuVendor.isForMachines(resource)
                && node.facts().node().capacity().anyMatch((name, _) -> name.equals(resource))) {
            return ENOUGH;
        }
        if (resource.equals(ResourceName.NVIDIA_GPU)) {
            long count = GpuHardwareLabelNumber.of(node.label(GpuLabels.COUNT));
            return count < 0 ? ENOUGH : count * replicas(node);
        }
        if (resource.isMig()) {
            return discoveredSlices(node, resource);
        }
        return GpuVendor.NVIDIA.own(Amounts.of(resource, 1)).isEmpty() ? ENOUGH : shared(node);
    }

    /**
     * Returns the number of times that each GPU is registered, from the label {@code nvidia.com/gpu.replicas}. If the
     * label is missing, returns 1. If the label is 0, returns 0 with the MIG strategy "mixed", which registers MIG
     * instances but no GPUs, and 1 otherwise.
     */
    private static long replicas(DiagnosedNode node) {
        long replicas = GpuHardwareLabelNumber.of(node.label("nvidia.com/gpu.replicas"));
        boolean isMixed = node.label(NodeFaults.STRATEGY).equals("mixed");
        return Math.max(isMixed && replicas == 0 ? 0 : 1, replicas);
    }

    /**
     * Returns the number of instances of a profile that feature discovery found. With the MIG strategy "mixed", each
     * profile has its own label, for example {@code nvidia.com/mig-1g.10gb.count}.
     */
    private static long discoveredSlices(DiagnosedNode node, ResourceName resource) {
        String prefix = resource.value();
        long count = GpuHardwareLabelNumber.of(node.label(prefix + ".count"));
        if (count >= 0) {
            return count * Math.max(1, GpuHardwareLabelNumber.of(node.label(prefix + ".replicas")));
        }
        return asksFor(node, resource) ? afterChange(node, resource, node.label(NodeFaults.WANTED)) : 0;
    }

    private static boolean asksFor(DiagnosedNode node, ResourceName resource) {
        String wanted = node.label(NodeFaults.WANTED);
        boolean telling = wanted.equals("all-balanced") || named(wanted).isPresent();
        return telling && afterChange(node, resource, wanted) > 0;
    }

    /**
     * Returns the number of shared devices if the setting {@code renameByDefault} gives them another resource name; 0
     * otherwise. The setting is off if the product label ends in -SHARED.
     */
    private static long shared(DiagnosedNode node) {
        String strategy = node.label(ResourceName.NVIDIA_GPU + DiagnosedGpuSharing.STRATEGY);
        boolean renamed = (strategy.equals("time-slicing") || strategy.equals("mps"))
                && !node.product().name().endsWith("-SHARED");
        long count = GpuHardwareLabelNumber.of(node.label(GpuLabels.COUNT));
        return renamed && count > 0 ? count * replicas(node) : 0;
    }

    /**
     * Returns the number of devices that the node would offer after mig-parted has applied a configuration.
     *
     * @param wanted the name of the configuration, for example {@code all-balanced}
     */
    private static long afterChange(DiagnosedNode node, ResourceName resource, String wanted) {
        boolean single = node.label(NodeFaults.STRATEGY).equals("single");
        return switch (wanted) {
            case "all-disabled" -> resource.equals(ResourceName.NVIDIA_GPU) ? gpus(node) : 0;
            case "all-enabled" -> 0;
            default -> single ? asFullGpus(node, resource, wanted) : slices(node, resource, wanted);
        };
    }

    private static long slices(DiagnosedNode node, ResourceName resource, String wanted) {
        boolean telling = wanted.equals("all-balanced") || named(wanted).isPresent();
        if (resource.equals(ResourceName.NVIDIA_GPU)) {
            return telling ? 0 : gpus(node);
        }
        return MigProfile.ofResource(resource)
                .filter(profile -> profile.resource().equals(resource))
                .map(profile -> slicesOf(node, profile, wanted))
                .orElse(0L);
    }

    private static long slicesOf(DiagnosedNode node, MigProfile profile, String wanted) {
        if (wanted.equals("all-balanced")) {
            return perGpu(node, node.product().balancedPerGpu(profile));
        }
        return named(wanted)
                .map(given ->
                        given.equals(profile) ? perGpu(node, node.product().mostPerGpu(profile)) : 0)
                .orElseGet(() -> node.product().canHave(profile) ? ENOUGH : 0);
    }

    /**
     * Returns the number of {@code nvidia.com/gpu} devices with the MIG strategy "single". This strategy registers each
     * MIG instance under that name.
     */
    private static long asFullGpus(DiagnosedNode node, ResourceName resource, String wanted) {
        if (!resource.equals(ResourceName.NVIDIA_GPU)) {
            return 0;
        }
        if (wanted.equals("all-balanced")) {
            return perGpu(node, node.product().balancedPerGpu());
        }
        return named(wanted)
                .map(profile -> perGpu(node, node.product().mostPerGpu(profile)))
                .orElse(ENOUGH);
    }

    private static long afterInstances(DiagnosedNode node, ResourceName resource) {
        String wanted = node.label(NodeFaults.WANTED);
        if (!wanted.isEmpty() && !wanted.equals("all-enabled") && !isImpossible(node)) {
            return afterChange(node, resource, wanted);
        }
        if (node.label(NodeFaults.STRATEGY).equals("single")) {
            return resource.equals(ResourceName.NVIDIA_GPU) ? ENOUGH : 0;
        }
        return MigProfile.ofResource(resource)
                .filter(profile -> profile.resource().equals(resource))
                .map(profile -> perGpu(node, node.product().mostPerGpu(profile)))
                .orElse(0L);
    }

    /** Returns the profile of a configuration such as {@code all-1g.10gb}; empty if the name does not contain one. */
    static Optional<MigProfile> named(String wanted) {
        return wanted.startsWith("all-") ? MigProfile.parse(wanted.substring("all-".length())) : Optional.empty();
    }

    /**
     * Returns true if the wanted configuration names a MIG profile that the GPU model cannot have. Instances of this
     * profile cannot be created, but instances of other profiles can.
     */
    static boolean isImpossible(DiagnosedNode node) {
        return named(node.label(NodeFaults.WANTED))
                .filter(profile -> !node.product().canHave(profile))
                .isPresent();
    }

    private static long perGpu(DiagnosedNode node, long instances) {
        return instances == 0 ? 0 : gpus(node) == ENOUGH ? ENOUGH : gpus(node) * instances;
    }

    /**
     * Returns the number of GPUs, or {@link #ENOUGH} if it is unknown. With the MIG strategy "single", the label does
     * not show the number: it counts MIG instances, or is 0 if they are invalid.
     */
    private static long gpus(DiagnosedNode node) {
        long count = GpuHardwareLabelNumber.of(node.label(GpuLabels.COUNT));
        return count <= 0 || node.product().isSlice() ? ENOUGH : count;
    }
}
