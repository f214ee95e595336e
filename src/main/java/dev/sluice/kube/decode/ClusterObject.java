package dev.sluice.kube.decode;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.client.DecodeResult;
import dev.sluice.kube.client.ObjectHead;
import java.io.IOException;

/** A node, a pod or neither. An object whose kind comes last is read as both. */
public final class ClusterObject {

    private final JsonCursor cursor;
    private final ObjectHead head;
    private final NodeBuilder node;
    private final PodBuilder pod;
    private String itemsProblem = "items is missing";

    ClusterObject(JsonCursor cursor, InternPool internPool, LabelInternPool labels, String kind) {
        this.cursor = cursor;
        this.head = new ObjectHead(cursor, kind);
        this.node = new NodeBuilder(cursor, head, internPool, labels);
        this.pod = new PodBuilder(cursor, head, internPool);
    }

    void field(String field) throws IOException {
        if (head.kind().equals("Pod")) {
            pod.field(field);
        } else if (!head.kind().isEmpty()) {
            node.field(field);
        } else {
            fieldOfEither(field);
        }
    }

    /** Nodes and pods have no field in common that is read here, except in the metadata. */
    private void fieldOfEither(String field) throws IOException {
        switch (field) {
            case "metadata" ->
                cursor.object(field, part -> {
                    switch (part) {
                        case "labels" -> node.metadata(part);
                        default -> pod.metadata(part);
                    }
                });
            case "spec" ->
                cursor.object(field, part -> {
                    switch (part) {
                        case "unschedulable", "taints" -> node.spec(part);
                        default -> pod.spec(part);
                    }
                });
            case "status" ->
                cursor.object(field, part -> {
                    switch (part) {
                        case "capacity", "allocatable" -> node.status(part);
                        default -> pod.status(part);
                    }
                });
            default -> head.field(field);
        }
    }

    /** The field {@code items}. Go encodes an empty list as null where its slice is nil. */
    void items(JsonCursor.ValueReader eachOne) throws IOException {
        JsonCursor items = cursor.apart();
        items.array("items", eachOne);
        itemsProblem = items.problem().orElse("");
    }

    /** Why this is no list, in words; empty where it is one. */
    public String itemsProblem() {
        return itemsProblem;
    }

    /** The kind that the object or its list names; empty where neither does. */
    public String kind() {
        return head.kind();
    }

    String kindOfItems() {
        return switch (head.kind()) {
            case "NodeList" -> "Node";
            case "PodList" -> "Pod";
            default -> "";
        };
    }

    public DecodeResult<Node> asNode() {
        return node.build();
    }

    public DecodeResult<Pod> asPod() {
        return pod.build();
    }
}
