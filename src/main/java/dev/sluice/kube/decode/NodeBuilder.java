package dev.sluice.kube.decode;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the fields of a node, which may come in any order. */
final class NodeBuilder {

    /**
     * The maximum number of entries in each of these fields of a node: labels, taints, capacity and allocatable. Nodes
     * usually have about 50 labels, a few taints and about ten resources. A node with more entries is malformed, and
     * the log names it.
     */
    private static final int MAX_ENTRIES = 2_048;

    /**
     * The maximum number of characters in the labels, taints and resource names of a node together. It is enough for a
     * thousand labels whose keys and values have the maximum length.
     */
    private static final long MAX_WEIGHT = 384 * 1024;

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final ObjectHead.ObjectParts parts =
            new ObjectHead.ObjectParts("Node", this::metadata, this::spec, this::status);
    private final DecodedValuePool internPool;
    private final DecodedLabelPool labelInternPool;

    private Map<String, String> labels = Map.of();
    private List<Taint> taints = List.of();
    private boolean unschedulable;
    private Amounts capacity = Amounts.NONE;
    private Amounts allocatable = Amounts.NONE;
    private long weight;

    NodeBuilder(JsonCursor cursor, ObjectHead head, DecodedValuePool internPool, DecodedLabelPool labelInternPool) {
        this.cursor = cursor;
        this.head = head;
        this.internPool = internPool;
        this.labelInternPool = labelInternPool;
    }

    void field(String field) throws IOException {
        head.fieldOf(field, parts);
    }

    void metadata(String field) throws IOException {
        if (field.equals("labels")) {
            labels = new HashMap<>();
            cursor.object("metadata.labels", this::label);
        } else {
            head.metadata(field);
        }
    }

    private void label(String key) throws IOException {
        if (!hasRoomFor("metadata.labels", key.length() + cursor.letters(), labels.size())) {
            cursor.skip();
        } else if (labels.put(key, cursor.textOrEmpty("metadata.labels")) != null) {
            cursor.report("metadata.labels has the key " + JsonCursor.shown(key) + " twice");
        }
    }

    /**
     * Returns true if the node stays within the limits when another entry is added. Otherwise reports a problem and
     * returns false.
     *
     * @param what the field to which the entry is added
     * @param letters the number of characters of the entry
     * @param entries the number of entries that the field has so far
     */
    private boolean hasRoomFor(String what, int letters, int entries) {
        weight += letters;
        boolean room = entries < MAX_ENTRIES && weight <= MAX_WEIGHT;
        if (!room) {
            cursor.report(what + " has more than " + MAX_ENTRIES + " entries, or more than " + MAX_WEIGHT
                    + " characters together with the node's other texts");
        }
        return room;
    }

    void spec(String field) throws IOException {
        switch (field) {
            case "unschedulable" -> unschedulable = cursor.truth("spec.unschedulable");
            case "taints" -> taints = readTaints();
            default -> cursor.skip();
        }
    }

    private List<Taint> readTaints() throws IOException {
        List<Taint> read = new ArrayList<>();
        cursor.array("spec.taints", () -> {
            Taint taint = readTaint();
            if (hasRoomFor("spec.taints", taint.key().length() + taint.value().length(), read.size())) {
                read.add(taint);
            }
        });
        return internPool.intern(List.copyOf(read));
    }

    private Taint readTaint() throws IOException {
        Map<String, String> parts = new HashMap<>();
        cursor.object("spec.taints", field -> {
            switch (field) {
                case "key", "value", "effect" -> parts.put(field, cursor.name("spec.taints." + field));
                default -> cursor.skip();
            }
        });
        String key = parts.getOrDefault("key", "");
        if (key.isEmpty()) {
            cursor.report("spec.taints has one without a key");
        }
        return new Taint(key, parts.getOrDefault("value", ""), Taint.Effect.of(parts.getOrDefault("effect", "")));
    }

    void status(String field) throws IOException {
        switch (field) {
            case "capacity" -> capacity = amounts("status.capacity");
            case "allocatable" -> allocatable = amounts("status.allocatable");
            default -> cursor.skip();
        }
    }

    private Amounts amounts(String what) throws IOException {
        ResourceListDecoder resources = new ResourceListDecoder(cursor, new Devices(what));
        resources.read(what);
        Map<ResourceName, Quantity> read = resources.resources();
        return read == null ? Amounts.NONE : internPool.intern(Amounts.of(read).named(internPool::intern));
    }

    ObjectDecodeResult<Node> build() {
        ObjectMeta meta = head.meta();
        return head.decoded(parts, meta.name(), () -> node(meta));
    }

    private Node node(ObjectMeta meta) {
        Map<String, String> shared = labelInternPool.labels(labels, meta.name());
        return new Node(meta.name(), shared, taints, unschedulable, capacity, allocatable, meta.resourceVersion());
    }

    /**
     * Limits the entries of {@code capacity} or {@code allocatable} with a quantity above 0.
     * {@link ResourceListDecoder} itself limits entries with the quantity 0.
     */
    private final class Devices implements ResourceListDecoder.EntryLimit {

        private final String what;
        private int entries;

        Devices(String what) {
            this.what = what;
        }

        @Override
        public boolean takes(ResourceName name) {
            entries++;
            return hasRoomFor(what, name.value().length(), entries);
        }
    }
}
