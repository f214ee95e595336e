package dev.sluice.kube.decode;

import dev.sluice.cluster.dra.DeviceClass;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.json.JsonCursor;

/** Creates the decoders of DeviceClasses, ResourceSlices and ResourceClaims. A decoder is not thread-safe. */
public final class DraDecoders {

    /** The API version that is decoded. In older versions, a DeviceClass has no {@code extendedResourceName}. */
    static final String API = "resource.k8s.io/v1";

    private DraDecoders() {}

    public static ObjectDecoder<DecodedObject<DeviceClass>> classes() {
        return parser -> {
            JsonCursor cursor = new JsonCursor(parser);
            DeviceClassBuilder deviceClass = new DeviceClassBuilder(cursor, new ObjectHead(cursor, ""));
            cursor.object("the object", deviceClass::field);
            return deviceClass.build();
        };
    }

    public static ObjectDecoder<DecodedObject<ResourceSlice>> slices() {
        DecodedValuePool internPool = new DecodedValuePool();
        return parser -> {
            JsonCursor cursor = new JsonCursor(parser);
            ResourceSliceBuilder slice = new ResourceSliceBuilder(cursor, new ObjectHead(cursor, ""), internPool);
            cursor.object("the object", slice::field);
            return slice.build();
        };
    }

    public static ObjectDecoder<DecodedObject<ResourceClaim>> claims() {
        DecodedValuePool internPool = new DecodedValuePool();
        return parser -> {
            JsonCursor cursor = new JsonCursor(parser);
            ResourceClaimBuilder claim = new ResourceClaimBuilder(cursor, new ObjectHead(cursor, ""), internPool);
            cursor.object("the object", claim::field);
            return claim.build();
        };
    }
}
