package dev.sluice.codec;

import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import dev.sluice.cluster.Taint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node while its fields are read, in whatever order they come. */
final class NodeDraft {

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final Pool pool;
    private final LabelPool labelPool;

    private Map<String, String> labels = Map.of();
    private List<Taint> taints = List.of();
    private boolean unschedulable;
    private Amounts capacity = Amounts.NONE;
    private Amounts allocatable = Amounts.NONE;

    NodeDraft(JsonCursor cursor, ObjectHead head, Pool pool, LabelPool labelPool) {
        this.cursor = cursor;
        this.head = head;
        this.pool = pool;
        this.labelPool = labelPool;
    }

    /** Reads the value of a field of the object. */
    void field(String field) throws IOException {
        switch (field) {
            case "metadata" -> part(field, this::metadata);
            case "spec" -> part(field, this::spec);
            case "status" -> part(field, this::status);
            default -> head.field(field);
        }
    }

    /** What is known not to be a node is not looked into. */
    private void part(String field, JsonCursor.FieldReader reader) throws IOException {
        if (head.isOtherThan("Node")) {
            cursor.skip();
        } else {
            cursor.object(field, reader);
        }
    }

    void metadata(String field) throws IOException {
        if (field.equals("labels")) {
            Map<String, String> read = cursor.textMap("metadata.labels");
            labels = read == null ? Map.of() : read;
        } else {
            head.metadata(field);
        }
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
        cursor.array("spec.taints", () -> read.add(readTaint()));
        return pool.shared(List.copyOf(read));
    }

    private Taint readTaint() throws IOException {
        Map<String, String> parts = new HashMap<>();
        cursor.object("spec.taints", field -> {
            switch (field) {
                case "key", "value", "effect" -> parts.put(field, cursor.textOrEmpty("spec.taints." + field));
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
        Map<ResourceName, Quantity> read = cursor.quantities(what);
        if (read == null) {
            return Amounts.NONE;
        }
        Map<ResourceName, Quantity> pooled = new LinkedHashMap<>();
        read.forEach((resource, quantity) -> pooled.put(pool.shared(resource), quantity));
        return pool.shared(Amounts.of(pooled));
    }

    Decoded<Node> finished() {
        if (head.isOtherThan("Node")) {
            return new Decoded.OtherKind<>(head.kind().equals("Node") ? head.fullKind() : head.kind());
        }
        if (head.name().isEmpty()) {
            cursor.report("metadata.name is missing");
        }
        return cursor.problem()
                .<Decoded<Node>>map(problem ->
                        new Decoded.Malformed<>(head.kind(), head.meta(), "node " + head.name() + ": " + problem))
                .orElseGet(() -> new Decoded.Found<>(head.kind(), node()));
    }

    private Node node() {
        Map<String, String> shared = labelPool.labels(labels, head.name());
        return new Node(head.name(), shared, taints, unschedulable, capacity, allocatable, head.version());
    }
}
