package dev.sluice.kube.facts;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of a ResourceSlice that a diagnosis needs. In v1alpha2 the node name was a field of the object itself. */
record SliceItem(
        String apiVersion,
        String kind,
        ItemMeta metadata,
        String nodeName,
        @Nullable SliceSpecItem spec) implements ClusterItem {

    SliceItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }

    record SliceSpecItem(String nodeName, List<SliceDeviceItem> devices) {}

    record SliceDeviceItem(String nodeName) {}

    /**
     * Returns the names of the nodes. With {@code perDeviceNodeSelection}, the devices name the nodes instead of the
     * slice.
     */
    List<String> nodes() {
        Stream<String> bySpec = spec == null
                ? Stream.of()
                : Stream.concat(
                        Stream.of(spec.nodeName()), spec.devices().stream().map(SliceDeviceItem::nodeName));
        return Stream.concat(Stream.of(nodeName), bySpec)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }
}
