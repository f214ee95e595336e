package dev.sluice.kube.decode;

import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestAuthoredFields;
import dev.sluice.admission.request.PodRequestAuthoredFields.ContainerResource;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields that the author of a pod wrote. Other fields come from Sluice and other webhooks. Before the API
 * server calls webhooks, it records the fields of the request in {@code managedFields} ({@code handlers/create.go}). It
 * does not record the changes of webhooks there. Therefore an annotation of Sluice is in {@code managedFields} only if
 * the author wrote it.
 */
final class ManagedFieldsDecoder {

    /**
     * The annotations that only Sluice should write. If the author of a pod wrote one of them, its value is not
     * trusted.
     */
    private static final Set<String> OF_SLUICE =
            Set.of(Pod.STAMP, PodRequestAnnotations.FALLBACK, PodRequestAnnotations.ASKED);

    /**
     * The beginning of the key of a container, such as {@code k:{"name":"main"}}. The name that follows need not be
     * decoded, because names of containers contain no characters that JSON escapes.
     */
    private static final String CONTAINER = "k:{\"name\":\"";

    private static final String CONTAINER_END = "\"}";
    private static final String FIELD = "f:";

    private final JsonCursor cursor;
    private final Set<ContainerResource> resources = new HashSet<>();
    private boolean recorded;
    private final Set<String> annotations = new HashSet<>();

    ManagedFieldsDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    /**
     * Returns true if the text of {@code managedFields} may contain limits or requests of a container. If it returns
     * false, the caller need not parse the text. Parsing would take a fifth of the time of a review.
     */
    static boolean showsRequests(String managedFields) {
        return managedFields.contains("\"f:limits\"") || managedFields.contains("\"f:requests\"");
    }

    /**
     * Returns true if the text of {@code managedFields} shows that the author requested this resource in a container.
     * The text is searched and not parsed. Its fields are sorted by name. The containers come after the labels and
     * annotations, and before the node selector.
     */
    static boolean showsRequest(ResourceName resource, String managedFields) {
        int containers = managedFields.indexOf("\"f:containers\":");
        int request = containers < 0 ? -1 : managedFields.indexOf("\"f:" + resource.value() + "\":", containers);
        return request >= 0 && managedFields.indexOf("\"f:nodeSelector\":", containers, request) < 0;
    }

    /** Reads {@code managedFields}. The cursor must be at the first token of the list. */
    void managedFields() throws IOException {
        cursor.array("metadata.managedFields", () -> cursor.object("metadata.managedFields", this::entry));
    }

    /**
     * Returns the fields that the author has written. Returns null if {@code managedFields} records no fields, or if it
     * records more resources than {@link DecodedPodLimits#MAX_AMOUNTS}.
     */
    @Nullable
    PodRequestAuthoredFields authored() {
        return recorded && resources.size() <= DecodedPodLimits.MAX_AMOUNTS
                ? new PodRequestAuthoredFields(wrote(PodRequestAnnotations.FALLBACK), resources)
                : null;
    }

    /** Returns true if the author wrote this annotation of Sluice. */
    boolean wrote(String annotation) {
        return annotations.contains(annotation);
    }

    /** Returns the first problem in {@code managedFields}; empty if there is none. */
    Optional<String> problem() {
        return cursor.problem();
    }

    private void entry(String field) throws IOException {
        into(field, "fieldsV1", part -> {
            recorded = true;
            fields(part);
        });
    }

    private void fields(String field) throws IOException {
        switch (field) {
            case "f:metadata" -> cursor.object(field, this::metadata);
            case "f:spec" -> cursor.object(field, this::spec);
            default -> cursor.skip();
        }
    }

    private void spec(String field) throws IOException {
        switch (field) {
            case "f:containers", "f:initContainers" -> cursor.object(field, this::container);
            default -> cursor.skip();
        }
    }

    private void container(String key) throws IOException {
        if (key.startsWith(CONTAINER) && key.endsWith(CONTAINER_END)) {
            String name = key.substring(CONTAINER.length(), key.length() - CONTAINER_END.length());
            cursor.object(CONTAINER, field -> into(field, "f:resources", part -> quantities(name, part)));
        } else {
            cursor.skip();
        }
    }

    private void quantities(String container, String field) throws IOException {
        switch (field) {
            case "f:limits", "f:requests" ->
                cursor.object(field, resource -> {
                    if (resource.startsWith(FIELD) && resources.size() <= DecodedPodLimits.MAX_AMOUNTS) {
                        resources.add(
                                new ContainerResource(container, new ResourceName(resource.substring(FIELD.length()))));
                    }
                    cursor.skip();
                });
            default -> cursor.skip();
        }
    }

    private void metadata(String field) throws IOException {
        into(field, "f:annotations", this::annotation);
    }

    private void into(String field, String wanted, JsonCursor.FieldReader reader) throws IOException {
        if (field.equals(wanted)) {
            cursor.object(wanted, reader);
        } else {
            cursor.skip();
        }
    }

    private void annotation(String key) throws IOException {
        if (key.startsWith(FIELD) && OF_SLUICE.contains(key.substring(FIELD.length()))) {
            annotations.add(key.substring(FIELD.length()));
        }
        cursor.skip();
    }
}
