package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/fleet}: the GPU nodes and how many of their devices are in use. The properties that
 * several nodes have in common are written once. The file {@code src/docs/capacity-json.md} documents each field. New
 * fields may be added, but no field is removed.
 */
public record FleetDocument(
        String version,
        Instant time,
        boolean podsKnown,

        @JsonPropertyDescription("It is missing while the pods are not known.") @Nullable
        Long unplaced,

        @JsonPropertyDescription(
                "The nodes without devices and without a label that indicates a GPU; they are left out.")
        long withoutDevices,

        List<FleetKind> kinds,
        List<FleetNode> nodes) {

    /** The properties that several nodes have in common. */
    public record FleetKind(
            int kind,
            @Nullable String model,
            @Nullable String pool,

            @JsonPropertyDescription("The labels that the query asks for, as far as the nodes have them.")
            Map<String, String> labels,

            boolean cordoned,

            @JsonPropertyDescription("True for nodes with the taint of a node that is not ready or not reachable.")
            @Nullable
            Boolean notReady,

            List<FleetDevice> devices) {

        FleetKind numbered(int number) {
            return new FleetKind(number, model, pool, labels, cordoned, notReady, devices);
        }
    }

    /** A device resource, with its amount on each node of a {@link FleetKind}. */
    public record FleetDevice(
            ResourceName resource,
            long capacity,
            long allocatable,

            @JsonPropertyDescription("Whether DRA hands out the devices.")
            boolean dra,

            @JsonPropertyDescription("The compute slices of a MIG profile.") @Nullable
            Integer slices,

            @Nullable Integer memoryGb) {

        static FleetDevice of(Node node, ResourceName resource) {
            @Nullable MigProfile profile = MigProfile.ofResource(resource).orElse(null);
            return new FleetDevice(
                    resource,
                    node.capacity().get(resource),
                    node.allocatable().get(resource),
                    node.claims(resource),
                    profile == null ? null : profile.slices(),
                    profile == null ? null : profile.memoryGb());
        }
    }

    /** The name of a node, the number of its {@link FleetKind}, and how many of its devices are in use. */
    public record FleetNode(
            String node,
            int kind,

            @JsonPropertyDescription("Allocated and Reserved of each device of the kind. It is missing if all are 0.")
            @Nullable
            List<Long> used) {}

    /** The data of the event {@code fleet}: what has changed since the version that the client has. */
    public record FleetChange(
            String version,
            String from,
            Instant time,
            boolean podsKnown,
            @Nullable Long unplaced,
            long withoutDevices,

            @JsonPropertyDescription("The kinds of the nodes in this event.")
            List<FleetKind> kinds,

            @JsonPropertyDescription("The nodes that are new or have changed.")
            List<FleetNode> nodes,

            @JsonPropertyDescription("The names of the nodes that no longer exist.")
            List<String> gone) {}

    /** The data of the event {@code fleet} if so much has changed that the client must load the whole fleet. */
    public record FleetReload(String version, boolean reload) {}
}
