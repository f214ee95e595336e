package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.Pod.Place;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/fleet/nodes/NAME}: a node, and the pods that have devices there. The file
 * {@code src/docs/capacity-json.md} documents each field. New fields may be added, but no field is removed.
 */
public record FleetNodeDocument(
        String node,
        Map<String, String> labels,
        boolean cordoned,
        List<String> taints,

        @JsonPropertyDescription("The pods on the node that ask for devices. It is missing while they are not known.")
        @Nullable
        List<DevicePod> pods) {

    /** A pod that asks for devices. */
    public record DevicePod(String namespace, String name, Map<ResourceName, Long> devices) {

        private static DevicePod of(Pod pod) {
            Map<ResourceName, Long> devices = new TreeMap<>();
            devicesOf(pod).forEach(devices::put);
            return new DevicePod(
                    pod.namespace(), pod.name().substring(pod.namespace().length() + 1), devices);
        }
    }

    /**
     * Creates the document.
     *
     * @param all the pods of the cluster
     */
    public static FleetNodeDocument of(Node node, List<Pod> all, boolean podsKnown) {
        return new FleetNodeDocument(
                node.name(),
                new TreeMap<>(node.labels()),
                node.unschedulable(),
                node.taints().stream().map(Taint::toString).toList(),
                podsKnown
                        ? all.stream()
                                .filter(pod -> pod.place().equals(new Place.Bound(node.name())))
                                .filter(pod -> !devicesOf(pod).isZero())
                                .map(DevicePod::of)
                                .toList()
                        : null);
    }

    private static Amounts devicesOf(Pod pod) {
        return pod.requests().only(ResourceName::isExtended);
    }

    public DocumentResponse answer() {
        return DocumentResponse.of(this);
    }
}
