package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.doctor.facts.DraFacts.DeviceClassFacts;
import org.jspecify.annotations.Nullable;

/** The fields of a DeviceClass that a diagnosis needs. */
record DeviceClassItem(
        String apiVersion,
        String kind,
        ItemMeta metadata,
        @Nullable DeviceClassSpecItem spec) implements ClusterItem {

    DeviceClassItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }

    record DeviceClassSpecItem(
            String extendedResourceName, @Nullable JsonNode selectors) {}

    DeviceClassFacts facts() {
        return new DeviceClassFacts(metadata.name(), spec == null ? "" : spec.extendedResourceName());
    }
}
