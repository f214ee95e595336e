package dev.sluice.kube.list;

import dev.sluice.json.JsonCursor;
import dev.sluice.pod.Pod;
import java.io.IOException;

/** What an object says of itself, whatever its kind, while its fields are read. */
public final class ObjectHead {

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
    public ObjectHead(JsonCursor cursor, String kind) {
        this.cursor = cursor;
        this.kind = kind;
    }

    public String kind() {
        return kind;
    }

    public String name() {
        return name;
    }

    public String namespace() {
        return namespace;
    }

    public String uid() {
        return uid;
    }

    /** Empty where nobody has read the annotations. */
    public String stamp() {
        return stamp;
    }

    public long version() {
        return ObjectMeta.version(resourceVersion);
    }

    public ObjectMeta meta() {
        return new ObjectMeta(name, namespace, uid, stamp, version());
    }

    /** Reads a field of the object, or passes over it. */
    public void field(String field) throws IOException {
        switch (field) {
            case "apiVersion" -> apiVersion = cursor.name(field);
            case "kind" -> kind = cursor.name(field);
            default -> cursor.skip();
        }
    }

    /** Reads a field of the metadata, or passes over it. */
    public void metadata(String field) throws IOException {
        switch (field) {
            case "name" -> name = cursor.name("metadata.name");
            case "namespace" -> namespace = cursor.name("metadata.namespace");
            case "uid" -> uid = cursor.name("metadata.uid");
            case "resourceVersion" -> resourceVersion = cursor.name("metadata.resourceVersion");
            default -> cursor.skip();
        }
    }

    /** As {@link #metadata}, and the stamp among the annotations, which only pods bear. */
    public void stampedMetadata(String field) throws IOException {
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
    public boolean isOtherThan(String wanted) {
        boolean otherGroup = !apiVersion.isEmpty() && !apiVersion.equals("v1");
        return !kind.isEmpty() && (!kind.equals(wanted) || otherGroup);
    }

    /** The kind, with its group where that is not the core's. */
    public String fullKind() {
        return apiVersion.isEmpty() || apiVersion.equals("v1") ? kind : kind + " of " + apiVersion;
    }
}
