package dev.sluice.kube.facts;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A ResourceSlice. In v1alpha2 the name of the node stood at the top. */
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

    /** It names its node, or its devices do with {@code perDeviceNodeSelection}. */
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
