package dev.sluice.metrics.parts;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.DeviceUsage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides which devices have series of their own in the metrics. A kubelet chooses the names of the devices that its
 * node reports, so a kubelet that reports new names again and again would otherwise create series without limit. It is
 * not thread-safe.
 */
final class DeviceSeries {

    /** The value of the label for all devices without series of their own. */
    static final String OTHERS = "(other)";

    /**
     * The maximum number of names that get series while the process runs, in addition to the names that the vendors of
     * GPUs use. A large cluster has less than a hundred names of devices.
     */
    static final int MOST_NAMES = 512;

    private static final Comparator<Map.Entry<ResourceName, DeviceUsage>> MOST_NODES_FIRST = Comparator.comparingLong(
                    (Map.Entry<ResourceName, DeviceUsage> device) ->
                            -device.getValue().nodes())
            .thenComparing(Map.Entry.comparingByKey());

    private final Set<ResourceName> named = new HashSet<>();

    /**
     * Gives series to new names while there is room: first to those that most nodes have. A name keeps its series,
     * because a sum that changed its label would look like a device that has gone.
     */
    void see(Map<ResourceName, DeviceUsage> devices) {
        devices.entrySet().stream()
                .filter(device -> !hasSeries(device.getKey()))
                .sorted(MOST_NODES_FIRST)
                .limit(MOST_NAMES - named.size())
                .forEach(device -> named.add(device.getKey()));
    }

    boolean hasSeries(ResourceName device) {
        return named.contains(device) || isWellKnown(device);
    }

    /** Returns the value of the label {@code resource}. */
    String label(ResourceName device) {
        return hasSeries(device) ? device.value() : OTHERS;
    }

    /** Returns true for a closed list of names: those of whole GPUs, and those of MIG profiles that a GPU has. */
    private static boolean isWellKnown(ResourceName device) {
        return Arrays.stream(GpuVendor.values())
                        .anyMatch(vendor -> vendor.wholeGpu().equals(device))
                || MigProfile.ofResource(device)
                        .filter(profile -> profile.resource().equals(device) && MigTables.isKnown(profile))
                        .isPresent();
    }
}
