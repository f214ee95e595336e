package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a ResourceSlice that a diagnosis needs. In v1alpha2 the node name was a field of the object itself and
 * not of its spec.
 */
record SliceItem(
        String apiVersion,
        String kind,
        ItemMeta metadata,
        String nodeName,
        @Nullable JsonNode spec) implements ClusterItem {

    private static final String NODE = "nodeName";

    SliceItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }

    /**
     * Returns the nodes that the slice names. If {@code perDeviceNodeSelection} is set, returns the nodes that its
     * devices name.
     */
    List<String> nodes() {
        Stream<String> bySpec = spec == null
                ? Stream.of()
                : Stream.concat(
                        Stream.of(spec.path(NODE).asText("")),
                        StreamSupport.stream(spec.path("devices").spliterator(), /* parallel= */ false)
                                .map(device -> device.path(NODE).asText("")));
        return Stream.concat(Stream.of(nodeName), bySpec)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /** Returns the DRA driver; empty if the slice does not name one. */
    String driver() {
        return spec == null ? "" : spec.path("driver").asText("");
    }
}
