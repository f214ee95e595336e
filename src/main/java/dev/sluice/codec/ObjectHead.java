package dev.sluice.codec;

import dev.sluice.cluster.Pod;
import java.io.IOException;

/** What an object says of itself, whatever its kind, while its fields are read. */
final class ObjectHead {

    /** Ours are UUIDs; what is longer was not given by us. */
    private static final int LONGEST_STAMP = 64;

    private final JsonCursor cursor;
    private String apiVersion = "";
    private String kind;
    private String name = "";
    private String namespace = "";
    private String uid = "";
    private String stamp = "";
    private String resourceVersion = "";

    /** @param kind what it is if it does not say; empty where that is not known */
    ObjectHead(JsonCursor cursor, String kind) {
        this.cursor = cursor;
        this.kind = kind;
    }

    String kind() {
        return kind;
    }

    String name() {
        return name;
    }

    String namespace() {
        return namespace;
    }

    String uid() {
        return uid;
    }

    /** Empty where nobody has read the annotations. */
    String stamp() {
        return stamp;
    }

    long version() {
        return ObjectMeta.version(resourceVersion);
    }

    ObjectMeta meta() {
        return new ObjectMeta(name, namespace, uid, stamp, version());
    }

    /** Reads a field of the object, or passes over it. */
    void field(String field) throws IOException {
        switch (field) {
            case "apiVersion" -> apiVersion = cursor.name(field);
            case "kind" -> kind = cursor.name(field);
            default -> cursor.skip();
        }
    }

    /** Reads a field of the metadata, or passes over it. */
    void metadata(String field) throws IOException {
        switch (field) {
            case "name" -> name = cursor.name("metadata.name");
            case "namespace" -> namespace = cursor.name("metadata.namespace");
            case "uid" -> uid = cursor.name("metadata.uid");
            case "resourceVersion" -> resourceVersion = cursor.name("metadata.resourceVersion");
            default -> cursor.skip();
        }
    }

    /** As {@link #metadata}, and the stamp among the annotations, which only pods bear. */
    void stampedMetadata(String field) throws IOException {
        if (field.equals("annotations")) {
            cursor.object("metadata.annotations", this::annotation);
        } else {
            metadata(field);
        }
    }

    private void annotation(String key) throws IOException {
        if (key.equals(Pod.STAMP)) {
            String text = cursor.name("annotation " + key);
            stamp = text.length() > LONGEST_STAMP ? "" : text;
        } else {
            cursor.skip();
        }
    }

    /** False while it may still be one of this kind. Other groups have kinds of the same name, Longhorn a Node. */
    boolean isOtherThan(String wanted) {
        boolean otherGroup = !apiVersion.isEmpty() && !apiVersion.equals("v1");
        return !kind.isEmpty() && (!kind.equals(wanted) || otherGroup);
    }

    /** The kind, with its group where that is not the core's. */
    String fullKind() {
        return apiVersion.isEmpty() || apiVersion.equals("v1") ? kind : kind + " of " + apiVersion;
    }
}
