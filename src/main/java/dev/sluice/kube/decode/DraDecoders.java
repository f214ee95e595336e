package dev.sluice.kube.decode;

import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.client.ObjectDecoder;
import dev.sluice.kube.client.ObjectHead;

/** The decoders of the objects of DRA. Each decoder is for one thread. */
public final class DraDecoders {

    /** The API version that is decoded. In older versions, DeviceClasses have no resource names. */
    static final String API = "resource.k8s.io/v1";

    private DraDecoders() {}

    public static ObjectDecoder<StoredObject<DeviceClass>> classes() {
        return parser -> {
            JsonCursor cursor = new JsonCursor(parser);
            DeviceClassBuilder deviceClass = new DeviceClassBuilder(cursor, new ObjectHead(cursor, ""));
            cursor.object("the object", deviceClass::field);
            return deviceClass.build();
        };
    }

    public static ObjectDecoder<StoredObject<ResourceSlice>> slices() {
        DecodedValuePool internPool = new DecodedValuePool();
        return parser -> {
            JsonCursor cursor = new JsonCursor(parser);
            ResourceSliceBuilder slice = new ResourceSliceBuilder(cursor, new ObjectHead(cursor, ""), internPool);
            cursor.object("the object", slice::field);
            return slice.build();
        };
    }

    public static ObjectDecoder<StoredObject<ResourceClaim>> claims() {
        DecodedValuePool internPool = new DecodedValuePool();
        return parser -> {
            JsonCursor cursor = new JsonCursor(parser);
            ResourceClaimBuilder claim = new ResourceClaimBuilder(cursor, new ObjectHead(cursor, ""), internPool);
            cursor.object("the object", claim::field);
            return claim.build();
        };
    }
}
