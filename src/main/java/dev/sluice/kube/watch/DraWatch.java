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
import dev.sluice.kube.watch.ReflectedObjects.Contents;
import dev.sluice.kube.watch.ReflectedObjects.State;
import org.jspecify.annotations.Nullable;

/** Watches the DeviceClasses, ResourceSlices and ResourceClaims, and computes the state of DRA from them. */
final class DraWatch {

    /**
     * The maximum number of DeviceClasses. This limit and the two limits below bound the memory, because each object
     * takes about 1 KiB. Clusters have a few DeviceClasses, one or two ResourceSlices for each node, and one
     * ResourceClaim for each pod.
     */
    private static final int MOST_CLASSES = 1_000;

    private static final int MOST_SLICES = 20_000;
    private static final int MOST_CLAIMS = 100_000;

    private final ReflectedObjects<DeviceClass> classes;
    private final ReflectedObjects<ResourceSlice> slices;
    private final ReflectedObjects<ResourceClaim> claims;
    private DeviceSupply supply = DeviceSupply.UNKNOWN;
    private @Nullable Contents<DeviceClass> knownClasses;
    private @Nullable Contents<ResourceSlice> knownSlices;

    /**
     * Creates a watch.
     *
     * @param changed a callback that is called after each change, on another thread
     */
    DraWatch(Runnable changed) {
        String kept = "pods whose resources no node offers are kept as written, because DRA may hand them out";
        this.classes = new ReflectedObjects<>("DeviceClass", kept, _ -> true, MOST_CLASSES, changed);
        this.slices = new ReflectedObjects<>("ResourceSlice", kept, _ -> true, MOST_SLICES, changed);
        this.claims = new ReflectedObjects<>(
                "ResourceClaim",
                "it is not known which devices are free that DRA hands out, so such pods are kept as written",
                claim -> !claim.devices().isEmpty(),
                MOST_CLAIMS,
                changed);
    }

    ReflectedObjects<DeviceClass> classes() {
        return classes;
    }

    ReflectedObjects<ResourceSlice> slices() {
        return slices;
    }

    ReflectedObjects<ResourceClaim> claims() {
        return claims;
    }

    /**
     * Returns true after the API server has answered the lists of DeviceClasses and ResourceSlices, even if it refused
     * them.
     */
    boolean isAnswered() {
        return classes.contents().state() != State.UNREAD && slices.contents().state() != State.UNREAD;
    }

    /** Returns the state of DRA. Only one thread may call this method. */
    DraState state() {
        Contents<ResourceClaim> allocated = claims.contents();
        return new DraState(
                newestSupply(), allocated.areAll() ? DeviceClaims.of(allocated.objects()) : DeviceClaims.UNKNOWN);
    }

    /**
     * Returns the devices that DRA offers, from the newest objects. Parts of the previous result that have not changed
     * are reused, so that only the devices of changed nodes are counted again.
     */
    private DeviceSupply newestSupply() {
        Contents<DeviceClass> known = classes.contents();
        Contents<ResourceSlice> published = slices.contents();
        if (known.equals(knownClasses) && published.equals(knownSlices)) {
            return supply;
        }
        DeviceClasses named = known.equals(knownClasses) ? supply.classes() : DeviceClasses.of(known.objects());
        Knowledge knowledge =
                !known.areAll() ? Knowledge.NOTHING : published.areAll() ? Knowledge.ALL : Knowledge.CLASSES;
        boolean isNothing = known.areAll()
                && known.objects().isEmpty()
                && published.objects().isEmpty();
        knownClasses = known;
        knownSlices = published;
        supply = isNothing
                ? DeviceSupply.NONE
                : new DeviceSupply(named, DevicePools.of(published.objects(), supply.pools()), knowledge);
        return supply;
    }
}
