package dev.sluice.kube.facts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The fields of a Lease that a diagnosis needs. */
record LeaseItem(
        String apiVersion,
        String kind,
        ItemMeta metadata,
        @Nullable LeaseSpecItem spec) implements ClusterItem {

    LeaseItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }

    record LeaseSpecItem(@Nullable FactTimeText renewTime) {}

    @Nullable
    Instant renewed() {
        return spec == null ? null : FactTimeText.parsed(spec.renewTime());
    }
}
