package dev.sluice.cluster;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holds the names that the configuration adds to the table of {@link GpuVendor}. The names are set once, after the
 * configuration has been read and before any decision, so that all parts of the process use the same table.
 */
final class AddedGpuVendorNames {

    private static volatile Map<GpuVendor, VendorNames> byVendor = Map.of();

    private AddedGpuVendorNames() {}

    static void set(Map<GpuVendor, VendorNames> names) {
        Map<GpuVendor, VendorNames> copy = new EnumMap<>(GpuVendor.class);
        names.forEach((vendor, own) -> {
            if (!own.equals(VendorNames.NONE)) {
                copy.put(vendor, own);
            }
        });
        byVendor = Map.copyOf(copy);
    }

    /** Returns the first vendor for which {@code isMeant} accepts the added names; null if there is none. */
    static @Nullable GpuVendor vendorWhere(Predicate<VendorNames> isMeant) {
        Map<GpuVendor, VendorNames> names = byVendor;
        return names.isEmpty()
                ? null
                : names.entrySet().stream()
                        .filter(own -> isMeant.test(own.getValue()))
                        .map(Map.Entry::getKey)
                        .min(Comparator.naturalOrder())
                        .orElse(null);
    }
}
