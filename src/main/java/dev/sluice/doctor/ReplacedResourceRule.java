package dev.sluice.doctor;

import dev.sluice.cluster.AlikeGpuNames;
import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigGeometry;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the resources that have replaced a resource on a node. The device plugin no longer registers the old resource,
 * but for five minutes the kubelet keeps it in capacity, with 0 in allocatable (pkg/kubelet/cm/devicemanager). Without
 * this rule, all devices of the old resource would be reported as unhealthy.
 */
final class ReplacedResourceRule {

    /** The number of compute slices of a GPU whose model is not known. NVIDIA divides most models into seven slices. */
    private static final long SEVENTHS = 7;

    private ReplacedResourceRule() {}

    /**
     * Returns the resources that replace the given resource. Returns none if the node still offers the given resource,
     * or if it has enough GPUs to offer the given resource beside the others.
     */
    static Amounts of(DiagnosedNode node, ResourceName resource) {
        if (node.allocatable(resource) > 0 || node.facts().node().capacity().get(resource) == 0) {
            return Amounts.NONE;
        }
        return GpuVendor.of(resource)
                .map(vendor -> offered(node, vendor))
                .filter(others -> !GpuVendor.isForMonitoring(resource) && areInstead(node, resource, others))
                .orElse(Amounts.NONE);
    }

    /**
     * Returns the same resources as {@link #of} while the capacity of the given resource is above 0. If its capacity is
     * 0, returns all resources of the same vendor that the node offers.
     */
    static Amounts others(DiagnosedNode node, ResourceName resource) {
        return GpuVendor.of(resource)
                .filter(_ -> node.allocatable(resource) == 0)
                .filter(_ -> node.capacity(resource) == 0 || !of(node, resource).isEmpty())
                .map(vendor -> offered(node, vendor))
                .orElse(Amounts.NONE);
    }

    /**
     * Returns true if the node offers the devices of this resource only under another name. The other name differs only
     * by the suffix {@code .shared}, or is the name of a partition of AMD's GPUs.
     */
    static boolean isRenamed(DiagnosedNode node, ResourceName resource) {
        return others(node, resource)
                .anyMatch((name, _) -> AlikeGpuNames.unshared(name).equals(AlikeGpuNames.unshared(resource))
                        || GpuVendor.of(name).filter(GpuVendor.AMD::equals).isPresent());
    }

    /** Returns a clause about a node that offers other resources in place of the given resource. */
    static String sentence(DiagnosedNode node, ResourceName resource) {
        List<String> offered = new ArrayList<>();
        others(node, resource).forEach((name, amount) -> offered.add(name + ": " + amount));
        return "node " + node.name() + " lists that name with 0, which is left over, and offers "
                + FirstFiveNames.of(offered) + " in its place";
    }

    private static Amounts offered(DiagnosedNode node, GpuVendor vendor) {
        return vendor.own(node.facts().node().allocatable())
                .only((name, amount) ->
                        amount > 0 && !GpuVendor.isForMonitoring(name) && !GpuVendor.isForMachines(name));
    }

    private static boolean areInstead(DiagnosedNode node, ResourceName resource, Amounts others) {
        if (others.isEmpty()) {
            return false;
        }
        boolean renamed =
                others.anyMatch((name, _) -> AlikeGpuNames.unshared(name).equals(AlikeGpuNames.unshared(resource)));
        boolean nvidia = GpuVendor.of(resource).filter(GpuVendor.NVIDIA::equals).isPresent();
        return renamed || !nvidia || node.product().isSlice() || areTooMany(node, resource, others);
    }

    /**
     * Returns true if the node has too few GPUs for the devices of both the old and the new resources, or if the number
     * of its GPUs is not known.
     */
    private static boolean areTooMany(DiagnosedNode node, ResourceName resource, Amounts others) {
        long gpus = GpuHardwareLabelNumber.of(node.label(GpuLabels.COUNT));
        long[] sevenths = {sevenths(node, resource, node.capacity(resource))};
        others.forEach((name, amount) -> sevenths[0] += sevenths(node, name, amount));
        return gpus <= 0 || sevenths[0] > gpus * slices(node);
    }

    private static long sevenths(DiagnosedNode node, ResourceName name, long amount) {
        Optional<MigProfile> profile = MigProfile.ofResource(name);
        long replicas = Math.max(1, GpuHardwareLabelNumber.of(node.label(AlikeGpuNames.unshared(name) + ".replicas")));
        long devices = Math.min(amount, Integer.MAX_VALUE) / replicas;
        return devices * profile.map(it -> (long) it.slices()).orElseGet(() -> slices(node));
    }

    /** Returns the number of compute slices of one GPU. */
    private static long slices(DiagnosedNode node) {
        return node.product().isUnknown() || node.product().models().isEmpty()
                ? SEVENTHS
                : node.product().models().stream()
                        .mapToLong(MigGeometry::slices)
                        .max()
                        .orElse(SEVENTHS);
    }
}
