package dev.sluice.metrics.parts;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementDeviceUsage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides which device resources have their own series in the metrics. The number of these series is limited: a kubelet
 * chooses the names of the devices of its node, and could report new names again and again. This class is not
 * thread-safe.
 */
final class DeviceSeries {

    /** The value of the label for all device resources without their own series. */
    static final String OTHERS = "(other)";

    /**
     * The maximum number of device names that get their own series while the process runs. The names that the vendors
     * of GPUs use are not counted. A large cluster has fewer than a hundred names of devices.
     */
    static final int MOST_NAMES = 512;

    private static final Comparator<Map.Entry<ResourceName, PlacementDeviceUsage>> MOST_NODES_FIRST =
            Comparator.comparingLong((Map.Entry<ResourceName, PlacementDeviceUsage> device) ->
                            -device.getValue().nodes())
                    .thenComparing(Map.Entry.comparingByKey());

    private final Set<ResourceName> named = new HashSet<>();

    /**
     * Creates series for new names until the limit is reached, beginning with the names that most nodes have. A name
     * never loses its series, because the device would then seem to have disappeared.
     */
    void see(Map<ResourceName, PlacementDeviceUsage> devices) {
        devices.entrySet().stream()
                .filter(device -> !hasSeries(device.getKey()))
                .sorted(MOST_NODES_FIRST)
                .limit(MOST_NAMES - named.size())
                .forEach(device -> named.add(device.getKey()));
    }

    boolean hasSeries(ResourceName device) {
        return named.contains(device) || isWellKnown(device);
    }

    /**
     * Returns the value of the label {@code resource}: the name of the device resource, or {@link #OTHERS} if it has no
     * series of its own.
     */
    String label(ResourceName device) {
        return hasSeries(device) ? device.value() : OTHERS;
    }

    /**
     * Returns true for the names of whole GPUs, and for the names of the MIG profiles that GPU models support. There
     * are only a few such names.
     */
    private static boolean isWellKnown(ResourceName device) {
        return Arrays.stream(GpuVendor.values())
                        .anyMatch(vendor -> vendor.wholeGpu().equals(device))
                || MigProfile.ofResource(device)
                        .filter(profile -> profile.resource().equals(device) && MigTables.isKnown(profile))
                        .isPresent();
    }
}
