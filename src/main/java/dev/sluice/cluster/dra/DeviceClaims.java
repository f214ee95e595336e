package dev.sluice.cluster.dra;

import dev.sluice.cluster.dra.ResourceClaim.AllocatedDevice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The devices that are allocated to ResourceClaims, if the gateway can read the ResourceClaims. */
public final class DeviceClaims {

    /** The value if the gateway may not read ResourceClaims. Whether a device is free is then unknown. */
    public static final DeviceClaims UNKNOWN = new DeviceClaims(Map.of(), /* known= */ false);

    public static final DeviceClaims NONE = new DeviceClaims(Map.of(), /* known= */ true);

    private final Map<DeviceId, List<ResourceClaim>> byDevice;
    private final boolean known;

    private DeviceClaims(Map<DeviceId, List<ResourceClaim>> byDevice, boolean known) {
        this.byDevice = byDevice;
        this.known = known;
    }

    public static DeviceClaims of(Collection<ResourceClaim> claims) {
        Map<DeviceId, List<ResourceClaim>> byDevice = new HashMap<>();
        for (ResourceClaim claim : claims) {
            for (AllocatedDevice device : claim.devices()) {
                byDevice.computeIfAbsent(device.id(), _ -> new ArrayList<>(1)).add(claim);
            }
        }
        return new DeviceClaims(byDevice, /* known= */ true);
    }

    public boolean isKnown() {
        return known;
    }

    /** Returns the pools with devices whose claims differ from the claims in {@code before}. */
    Set<PoolId> changedSince(DeviceClaims before) {
        Set<PoolId> changed = new HashSet<>();
        addDifferent(before, changed);
        before.addDifferent(this, changed);
        return changed;
    }

    private void addDifferent(DeviceClaims other, Set<PoolId> changed) {
        byDevice.forEach((device, holders) -> {
            if (!holders.equals(other.byDevice.get(device))) {
                changed.add(new PoolId(device.driver(), device.pool()));
            }
        });
    }

    /** Returns true if the device, or a share of it, is allocated to a claim. */
    public boolean has(DeviceId device) {
        return byDevice.containsKey(device);
    }

    /** Returns the claims to which the device is allocated. Several claims can share one device. */
    public List<ResourceClaim> holding(DeviceId device) {
        return List.copyOf(byDevice.getOrDefault(device, List.of()));
    }

    /** Returns true if the scheduler has allocated the device to a pod that requests it as an extended resource. */
    boolean isByName(DeviceId device) {
        return byDevice.getOrDefault(device, List.of()).stream()
                .anyMatch(claim -> !claim.ofPod().isEmpty());
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof DeviceClaims that && known == that.known && byDevice.equals(that.byDevice));
    }

    @Override
    public int hashCode() {
        return byDevice.hashCode();
    }
}
