package dev.sluice.kube.decode;

import dev.sluice.cluster.Pod;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Supplier;

/** Collects the kind and the metadata of an object while the object is decoded. */
final class ObjectHead {

    /**
     * The maximum length, in characters, of a value of the annotation {@link Pod#STAMP}. Sluice writes UUIDs, which are
     * shorter, so a longer value is not from Sluice and is ignored.
     */
    private static final int LONGEST_STAMP = 64;

    private final JsonCursor cursor;
    private String apiVersion = "";
    private String kind;
    private String name = "";
    private String namespace = "";
    private String uid = "";
    private String stamp = "";
    private String resourceVersion = "";
    private String created = "";
    private boolean ofDaemonSet;

    /**
     * Creates a collector for one object.
     *
     * @param kind the kind to assume for an object that does not name its kind; empty if no kind can be assumed
     */
    ObjectHead(JsonCursor cursor, String kind) {
        this.cursor = cursor;
        this.kind = kind;
    }

    String kind() {
        return kind;
    }

    /** Returns the metadata. {@link ObjectMeta#stamp} is empty if the annotations were not read. */
    ObjectMeta meta() {
        return new ObjectMeta(name, namespace, uid, stamp, ObjectMeta.version(resourceVersion));
    }

    /**
     * Returns the creation time as text. Returns an empty text if the object has none, or if {@link #stampedMetadata}
     * was not used.
     */
    String created() {
        return created;
    }

    /** Reads the apiVersion or the kind of the object. Skips any other field. */
    void field(String field) throws IOException {
        switch (field) {
            case "apiVersion" -> apiVersion = cursor.name(field);
            case "kind" -> kind = cursor.name(field);
            default -> cursor.skip();
        }
    }

    /** Reads a field of the metadata if it is needed. Skips any other field. */
    void metadata(String field) throws IOException {
        switch (field) {
            case "name" -> name = cursor.name("metadata.name");
            case "namespace" -> namespace = cursor.name("metadata.namespace");
            case "uid" -> uid = cursor.name("metadata.uid");
            case "resourceVersion" -> resourceVersion = cursor.name("metadata.resourceVersion");
            default -> cursor.skip();
        }
    }

    /**
     * Reads a field of the metadata like {@link #metadata}. In addition, this method reads the annotation
     * {@link Pod#STAMP}, the creation time and the kinds of the owners. Only some kinds of objects, such as pods, need
     * these.
     */
    void stampedMetadata(String field) throws IOException {
        switch (field) {
            case "annotations" -> cursor.object("metadata.annotations", this::annotation);
            case "creationTimestamp" -> creationTimestamp(field);
            case "ownerReferences" -> cursor.array("metadata.ownerReferences", this::owner);
            default -> metadata(field);
        }
    }

    private void owner() throws IOException {
        cursor.object("metadata.ownerReferences", field -> {
            if (field.equals("kind")) {
                ofDaemonSet |= cursor.name("metadata.ownerReferences.kind").equals("DaemonSet");
            } else {
                cursor.skip();
            }
        });
    }

    /** Returns true if a DaemonSet owns the object. Returns false if {@link #stampedMetadata} was not used. */
    boolean isOfDaemonSet() {
        return ofDaemonSet;
    }

    /**
     * Reads the creation time. A value that is not a text is ignored and does not make the pod invalid, because no
     * decision depends on the creation time.
     */
    private void creationTimestamp(String field) throws IOException {
        if (cursor.isText()) {
            created = cursor.name(field);
        } else {
            cursor.skip();
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

    /** The functions that decode the parts of an object of one kind. */
    record ObjectParts(
            String kind,
            JsonCursor.FieldReader metadata,
            JsonCursor.FieldReader spec,
            JsonCursor.FieldReader status,
            String apiVersion) {

        /** Creates the parts of an object whose kind belongs to the core API group. */
        ObjectParts(
                String kind,
                JsonCursor.FieldReader metadata,
                JsonCursor.FieldReader spec,
                JsonCursor.FieldReader status) {
            this(kind, metadata, spec, status, "v1");
        }
    }

    /**
     * Decodes a top-level field of the object. If the object is of another kind than {@code parts}, the spec, status
     * and metadata are skipped.
     */
    void fieldOf(String field, ObjectParts parts) throws IOException {
        switch (field) {
            case "metadata" -> part(field, parts, parts.metadata());
            case "spec" -> part(field, parts, parts.spec());
            case "status" -> part(field, parts, parts.status());
            default -> field(field);
        }
    }

    private void part(String field, ObjectParts parts, JsonCursor.FieldReader reader) throws IOException {
        if (isOtherThan(parts)) {
            cursor.skip();
        } else {
            cursor.object(field, reader);
        }
    }

    /**
     * Returns the decoded object, or the reason why there is none. The caller must have read the whole object before.
     *
     * @param fullName the name of the object for messages
     * @param value a function that creates the record; it is called only if the object is valid
     */
    <T> ObjectDecodeResult<T> decoded(ObjectParts parts, String fullName, Supplier<T> value) {
        if (isOtherThan(parts)) {
            return new ObjectDecodeResult.OtherKind<>(kind.equals(parts.kind()) ? kind + " of " + apiVersion : kind);
        }
        if (name.isEmpty()) {
            cursor.report("metadata.name is missing");
        }
        return cursor.problem()
                .map(problem -> parts.kind().toLowerCase(Locale.ROOT) + " " + fullName + ": " + problem)
                .<ObjectDecodeResult<T>>map(problem -> new ObjectDecodeResult.Malformed<>(kind, meta(), problem))
                .orElseGet(() -> new ObjectDecodeResult.Found<>(kind, value.get()));
    }

    /**
     * Returns true if the object is certainly of another kind. Returns false if it states no kind. The apiVersion is
     * compared as well, because other API groups have kinds of the same name; for example, Longhorn also has a
     * {@code Node}.
     */
    boolean isOtherThan(ObjectParts parts) {
        boolean otherGroup = !apiVersion.isEmpty() && !apiVersion.equals(parts.apiVersion());
        return !kind.isEmpty() && (!kind.equals(parts.kind()) || otherGroup);
    }
}
