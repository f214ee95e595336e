package dev.sluice.kube.decode;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.dra.AttributeValue;
import dev.sluice.cluster.dra.Device;
import dev.sluice.cluster.dra.DeviceCounterSet;
import dev.sluice.cluster.dra.ResourceSlice;
import dev.sluice.cluster.dra.ResourceSliceNodes;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the fields of a ResourceSlice, which may come in any order. */
final class ResourceSliceBuilder {

    static final String KIND = "ResourceSlice";

    /**
     * The maximum number of devices, attributes, capacities, taints and counters in a slice, all added up. The API
     * server allows 128 devices with 32 attributes and capacities each.
     */
    private static final int MAX_ENTRIES = 16_384;

    /**
     * The maximum number of characters in all texts of a slice together. It is the maximum size of an object in etcd,
     * in bytes.
     */
    private static final long MAX_LETTERS = 1_536 * 1024;

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final DecodedValuePool internPool;
    private final ObjectHead.ObjectParts parts;
    private final NodeFields nodes = new NodeFields();
    private final List<Device> devices = new ArrayList<>();
    private final List<DeviceCounterSet> counters = new ArrayList<>(1);
    private String driver = "";
    private String pool = "";
    private long generation;
    private long sliceCount;
    private int entries;
    private long letters;

    ResourceSliceBuilder(JsonCursor cursor, ObjectHead head, DecodedValuePool internPool) {
        this.cursor = cursor;
        this.head = head;
        this.internPool = internPool;
        this.parts = new ObjectHead.ObjectParts(KIND, head::metadata, this::spec, _ -> cursor.skip(), DraDecoders.API);
    }

    void field(String field) throws IOException {
        head.fieldOf(field, parts);
    }

    private void spec(String field) throws IOException {
        switch (field) {
            case "driver" -> driver = internPool.intern(cursor.name("spec.driver"));
            case "pool" -> cursor.object("spec.pool", this::poolField);
            case "perDeviceNodeSelection" -> nodes.byDevice = cursor.truth("spec.perDeviceNodeSelection");
            case "devices" -> cursor.array("spec.devices", this::device);
            case "sharedCounters" -> cursor.array("spec.sharedCounters", () -> counters.add(counterSet("name")));
            default -> nodes.field(field);
        }
    }

    private void poolField(String field) throws IOException {
        switch (field) {
            case "name" -> pool = internPool.intern(cursor.name("spec.pool.name"));
            case "generation" -> generation = cursor.wholeNumber("spec.pool.generation");
            case "resourceSliceCount" -> sliceCount = cursor.wholeNumber("spec.pool.resourceSliceCount");
            default -> cursor.skip();
        }
    }

    /** Collects the fields that say on which nodes the devices of a slice, or one device, can be used. */
    private final class NodeFields {
        private String name = "";
        private boolean all;
        private boolean byDevice;
        private @Nullable NodeConstraints selected;

        void field(String field) throws IOException {
            switch (field) {
                case "nodeName" -> name = cursor.name("nodeName");
                case "allNodes" -> all = cursor.truth("allNodes");
                case "nodeSelector" -> {
                    NodeConstraintsDecoder selector = new NodeConstraintsDecoder(cursor);
                    selector.requiredTerms("nodeSelector");
                    selected = cursor.isNull() ? null : selector.constraints();
                }
                default -> cursor.skip();
            }
        }

        ResourceSliceNodes choice() {
            if (!name.isEmpty()) {
                return new ResourceSliceNodes.NamedNode(name);
            }
            if (all) {
                return new ResourceSliceNodes.EveryNode();
            }
            if (selected != null) {
                selected.whyNotEvaluated().ifPresent(cursor::report);
                return new ResourceSliceNodes.SelectedNodes(selected.terms());
            }
            return byDevice ? new ResourceSliceNodes.ByDevice() : new ResourceSliceNodes.NoKnownNode();
        }
    }

    private void device() throws IOException {
        Map<String, AttributeValue> attributes = new HashMap<>();
        Map<String, Quantity> capacity = new HashMap<>();
        List<Taint> taints = new ArrayList<>(0);
        List<DeviceCounterSet> consumes = new ArrayList<>(0);
        NodeFields own = new NodeFields();
        String[] name = {""};
        boolean[] isSharedOrLate = new boolean[2];
        cursor.object("spec.devices", field -> {
            switch (field) {
                case "name" -> name[0] = text("spec.devices.name");
                case "attributes" -> cursor.object("spec.devices.attributes", key -> put(attributes, key, attribute()));
                case "capacity" -> cursor.object("spec.devices.capacity", key -> put(capacity, key, value(key)));
                case "taints" -> cursor.array("spec.devices.taints", () -> taints.add(taint()));
                case "consumesCounters" ->
                    cursor.array("spec.devices.consumesCounters", () -> consumes.add(counterSet("counterSet")));
                case "allowMultipleAllocations" -> isSharedOrLate[0] = cursor.truth(field);
                case "bindingConditions" ->
                    cursor.array(field, () -> {
                        isSharedOrLate[1] = true;
                        cursor.skip();
                    });
                default -> own.field(field);
            }
        });
        if (hasRoomFor(name[0])) {
            devices.add(new Device(
                    name[0],
                    attributes,
                    capacity,
                    taints,
                    consumes,
                    own.choice(),
                    isSharedOrLate[0],
                    isSharedOrLate[1]));
        }
    }

    private <T> void put(Map<String, T> map, String key, @Nullable T value) {
        if (value != null && hasRoomFor(key)) {
            map.put(internPool.intern(key), value);
        }
    }

    private AttributeValue attribute() throws IOException {
        AttributeValue[] value = {new AttributeValue.OtherAttribute()};
        cursor.object("spec.devices.attributes", type -> {
            switch (type) {
                case "string" -> value[0] = new AttributeValue.StringAttribute(internPool.intern(text(type)));
                case "version" -> value[0] = new AttributeValue.VersionAttribute(internPool.intern(text(type)));
                case "int" -> value[0] = new AttributeValue.IntAttribute(cursor.wholeNumber(type));
                case "bool" -> value[0] = new AttributeValue.BoolAttribute(cursor.truth(type));
                default -> cursor.skip();
            }
        });
        return internPool.intern(value[0]);
    }

    /** Returns the quantity in the field {@code value} of a capacity or of a counter; null if there is none. */
    private @Nullable Quantity value(String key) throws IOException {
        @Nullable Quantity[] value = {null};
        cursor.object(key, field -> {
            if (field.equals("value")) {
                value[0] = cursor.quantity(field, key);
            } else {
                cursor.skip();
            }
        });
        return value[0];
    }

    private Taint taint() throws IOException {
        String[] texts = {"", "", ""};
        cursor.object("spec.devices.taints", field -> {
            switch (field) {
                case "key" -> texts[0] = text(field);
                case "value" -> texts[1] = text(field);
                case "effect" -> texts[2] = text(field);
                default -> cursor.skip();
            }
        });
        return internPool.intern(new Taint(texts[0], texts[1], Taint.Effect.of(texts[2])));
    }

    private DeviceCounterSet counterSet(String nameField) throws IOException {
        Map<String, Long> amounts = new HashMap<>();
        String[] name = {""};
        cursor.object("a set of counters", field -> {
            if (field.equals(nameField)) {
                name[0] = text(field);
            } else if (field.equals("counters")) {
                cursor.object(field, key -> {
                    Quantity amount = value(key);
                    put(amounts, key, amount == null ? null : amount.value());
                });
            } else {
                cursor.skip();
            }
        });
        return new DeviceCounterSet(internPool.intern(name[0]), amounts);
    }

    private String text(String what) throws IOException {
        String text = cursor.name(what);
        return hasRoomFor(text) ? text : "";
    }

    private boolean hasRoomFor(String text) {
        entries++;
        letters += text.length();
        boolean room = entries <= MAX_ENTRIES && letters <= MAX_LETTERS;
        if (!room) {
            cursor.report("spec has more than " + MAX_ENTRIES + " entries or " + MAX_LETTERS + " letters");
        }
        return room;
    }

    ObjectDecodeResult<DecodedObject<ResourceSlice>> build() {
        ResourceSliceNodes choice = nodes.choice();
        return head.decoded(
                parts,
                head.meta().name(),
                () -> new DecodedObject<>(
                        head.meta(),
                        new ResourceSlice(
                                head.meta().name(), driver, pool, generation, sliceCount, choice, devices, counters)));
    }
}
