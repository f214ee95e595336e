package dev.sluice.kube.decode;

import dev.sluice.cluster.dra.DeviceId;
import dev.sluice.cluster.dra.ResourceClaim;
import dev.sluice.cluster.dra.ResourceClaim.AllocatedDevice;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Collects the fields of a ResourceClaim, which may come in any order. */
final class ResourceClaimBuilder {

    static final String KIND = "ResourceClaim";

    /**
     * The annotation of a ResourceClaim that kube-scheduler has created for the extended resources that a pod requests.
     */
    private static final String BY_NAME = "resource.kubernetes.io/extended-resource-claim";

    /**
     * The maximum number of entries in each list of a claim. The API server allows 32 requests with 8 alternatives
     * each, 32 results and 256 consumers.
     */
    private static final int MAX_ENTRIES = 512;

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final DecodedValuePool internPool;
    private final ObjectHead.ObjectParts parts;
    private final List<String> classes = new ArrayList<>(1);
    private final List<String> users = new ArrayList<>(1);
    private final List<AllocatedDevice> devices = new ArrayList<>(1);
    private boolean byName;
    private String owner = "";

    ResourceClaimBuilder(JsonCursor cursor, ObjectHead head, DecodedValuePool internPool) {
        this.cursor = cursor;
        this.head = head;
        this.internPool = internPool;
        this.parts = new ObjectHead.ObjectParts(KIND, this::metadata, this::spec, this::status, DraDecoders.API);
    }

    void field(String field) throws IOException {
        head.fieldOf(field, parts);
    }

    private void metadata(String field) throws IOException {
        switch (field) {
            case "annotations" ->
                cursor.object("metadata.annotations", key -> {
                    if (key.equals(BY_NAME)) {
                        byName = cursor.name(key).equals("true");
                    } else {
                        cursor.skip();
                    }
                });
            case "ownerReferences" -> cursor.array("metadata.ownerReferences", this::owner);
            default -> head.metadata(field);
        }
    }

    private void owner() throws IOException {
        String[] texts = {"", ""};
        cursor.object("metadata.ownerReferences", field -> {
            switch (field) {
                case "kind" -> texts[0] = cursor.name(field);
                case "name" -> texts[1] = cursor.name(field);
                default -> cursor.skip();
            }
        });
        owner = texts[0].equals("Pod") ? texts[1] : owner;
    }

    private void spec(String field) throws IOException {
        inDevices(field, "requests", this::request);
    }

    private void inDevices(String field, String list, JsonCursor.ValueReader entry) throws IOException {
        if (!field.equals("devices")) {
            cursor.skip();
            return;
        }
        cursor.object(field, part -> {
            if (part.equals(list)) {
                cursor.array(part, entry);
            } else {
                cursor.skip();
            }
        });
    }

    /**
     * Decodes a request. The name of the DeviceClass is in {@code exactly} or in each entry of {@code firstAvailable}.
     */
    private void request() throws IOException {
        cursor.object("spec.devices.requests", field -> {
            switch (field) {
                case "exactly" -> cursor.object(field, this::deviceClass);
                case "firstAvailable" -> cursor.array(field, () -> cursor.object(field, this::deviceClass));
                default -> cursor.skip();
            }
        });
    }

    private void deviceClass(String field) throws IOException {
        if (field.equals("deviceClassName")) {
            String name = internPool.intern(cursor.name(field));
            if (hasRoomIn(classes)) {
                classes.add(name);
            }
        } else {
            cursor.skip();
        }
    }

    private void status(String field) throws IOException {
        switch (field) {
            case "allocation" -> cursor.object("status.allocation", part -> inDevices(part, "results", this::result));
            case "reservedFor" -> cursor.array("status.reservedFor", this::user);
            default -> cursor.skip();
        }
    }

    private void result() throws IOException {
        String[] texts = {"", "", ""};
        boolean[] isAdminOrShare = new boolean[2];
        cursor.object("status.allocation.devices.results", field -> {
            switch (field) {
                case "driver" -> texts[0] = internPool.intern(cursor.name(field));
                case "pool" -> texts[1] = internPool.intern(cursor.name(field));
                case "device" -> texts[2] = cursor.name(field);
                case "adminAccess" -> isAdminOrShare[0] = cursor.truth(field);
                case "shareID", "consumedCapacity" -> {
                    isAdminOrShare[1] = !cursor.isNull();
                    cursor.skip();
                }
                default -> cursor.skip();
            }
        });
        if (!isAdminOrShare[0] && hasRoomIn(devices)) {
            devices.add(new AllocatedDevice(new DeviceId(texts[0], texts[1], texts[2]), isAdminOrShare[1]));
        }
    }

    private void user() throws IOException {
        cursor.object("status.reservedFor", field -> {
            if (field.equals("name")) {
                String name = cursor.name(field);
                if (hasRoomIn(users)) {
                    users.add(name);
                }
            } else {
                cursor.skip();
            }
        });
    }

    private boolean hasRoomIn(List<?> list) {
        boolean room = list.size() < MAX_ENTRIES;
        if (!room) {
            cursor.report("the claim has more than " + MAX_ENTRIES + " entries");
        }
        return room;
    }

    ObjectDecodeResult<DecodedObject<ResourceClaim>> build() {
        return head.decoded(
                parts,
                head.meta().fullName(),
                () -> new DecodedObject<>(
                        head.meta(),
                        new ResourceClaim(
                                head.meta().namespace(),
                                head.meta().name(),
                                byName ? owner : "",
                                classes,
                                users,
                                devices)));
    }
}
