package dev.sluice.kube.watch;

import dev.sluice.cluster.dra.DeviceClaims;
import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.DeviceClasses;
import dev.sluice.cluster.dra.DevicePools;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.dra.DeviceSupply.Knowledge;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.kube.decode.DecodedClusterObject;
import dev.sluice.kube.decode.DecodedObject;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.facts.KubectlObjectBudget;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects the objects of DRA from a snapshot file. If a DeviceClass or a ResourceSlice cannot be read, the available
 * devices are not completely known. If a ResourceClaim cannot be read, the allocated devices are unknown. They are also
 * unknown if the file contains no ResourceClaims, because the file does not show whether ResourceClaims were collected.
 */
final class SnapshotFileDevices {

    private final Map<String, DeviceClass> classes = new LinkedHashMap<>();
    private final Map<String, ResourceSlice> slices = new LinkedHashMap<>();
    private final Map<String, ResourceClaim> claims = new LinkedHashMap<>();
    private final SnapshotCollector.Warnings warnings = new SnapshotCollector.Warnings();
    private boolean classUnread;
    private boolean sliceUnread;
    private boolean claimUnread;

    /** Adds the object and returns true if it is an object of DRA. Returns false for any other object. */
    boolean takes(DecodedClusterObject object, KubectlObjectBudget budget) throws IOException {
        switch (object.kind()) {
            case "DeviceClass" -> classUnread |= isUnread(object.asDeviceClass(), classes, budget);
            case "ResourceSlice" -> sliceUnread |= isUnread(object.asSlice(), slices, budget);
            case "ResourceClaim" -> claimUnread |= isUnread(object.asClaim(), claims, budget);
            default -> {
                return false;
            }
        }
        return true;
    }

    /**
     * Records that items of this kind were not read, because they do not name their kind themselves. Ignores kinds that
     * do not belong to DRA.
     */
    void takesUnread(String kindOfItems) {
        switch (kindOfItems) {
            case "DeviceClass" -> classUnread = true;
            case "ResourceSlice" -> sliceUnread = true;
            case "ResourceClaim" -> claimUnread = true;
            default -> {
                return;
            }
        }
        warnings.add("the items of a " + kindOfItems + "List are not read, because its kind comes after them");
    }

    private <T> boolean isUnread(
            ObjectDecodeResult<DecodedObject<T>> decoded, Map<String, T> into, KubectlObjectBudget budget)
            throws IOException {
        if (decoded instanceof ObjectDecodeResult.Found<DecodedObject<T>>(String _, DecodedObject<T> found)) {
            budget.keep(found);
            into.put(found.meta().fullName(), found.value());
        }
        if (decoded instanceof ObjectDecodeResult.Malformed<DecodedObject<T>> malformed) {
            warnings.add(malformed.problem());
            return true;
        }
        return false;
    }

    DraState state() {
        return new DraState(supply(), claims());
    }

    private DeviceSupply supply() {
        Knowledge knowledge = classUnread ? Knowledge.NOTHING : sliceUnread ? Knowledge.CLASSES : Knowledge.ALL;
        return classes.isEmpty() && slices.isEmpty() && knowledge == Knowledge.ALL
                ? DeviceSupply.NONE
                : new DeviceSupply(DeviceClasses.of(classes.values()), DevicePools.of(slices.values()), knowledge);
    }

    private DeviceClaims claims() {
        return claims.isEmpty() || claimUnread ? DeviceClaims.UNKNOWN : DeviceClaims.of(claims.values());
    }

    SnapshotCollector.Warnings warnings() {
        return warnings;
    }
}
