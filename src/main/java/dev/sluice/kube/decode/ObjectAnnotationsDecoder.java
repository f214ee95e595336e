package dev.sluice.kube.decode;

import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cluster.Pod;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Decodes the annotations of a pod, and counts the total size of all annotations. It keeps all annotations that
 * decisions read, and a limited number of others.
 */
final class ObjectAnnotationsDecoder {

    /**
     * The maximum number of annotations that are kept for injection only. If the pod already has an annotation with the
     * value that injection would write, injection does not write it again. Pods have about a dozen annotations. If a
     * pod has more than the limit, some annotations may be written again.
     */
    private static final int MAX_OTHERS = 256;

    /** The maximum total size of a pod's annotations in bytes. The API server rejects larger annotations. */
    private static final long MAX_BYTES = 256 * 1024;

    private final JsonCursor cursor;
    private PodRequestAnnotations.Parent parent = PodRequestAnnotations.Parent.NO_METADATA;
    private final Map<String, String> values = new HashMap<>();
    private int others;
    private long bytes;

    ObjectAnnotationsDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    void metadata(boolean there) {
        parent = there ? PodRequestAnnotations.Parent.NO_ANNOTATIONS : PodRequestAnnotations.Parent.NO_METADATA;
    }

    void read() throws IOException {
        if (!cursor.isNull()) {
            parent = PodRequestAnnotations.Parent.ANNOTATIONS;
        }
        cursor.object("metadata.annotations", this::annotation);
    }

    private void annotation(String key) throws IOException {
        bytes += utf8Bytes(key);
        if (!cursor.isText()) {
            var _ = cursor.textOrEmpty("annotation " + JsonCursor.shown(key));
            return;
        }
        bytes += cursor.textBytes();
        boolean read = PodRequestAnnotations.READ.contains(key);
        if (read || (others < MAX_OTHERS && bytes <= MAX_BYTES)) {
            others += read ? 0 : 1;
            String before = values.put(key, cursor.textOrEmpty(key));
            if (before != null && read) {
                cursor.report("annotation " + key + " stands twice");
            }
        }
    }

    private static long utf8Bytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += JsonCursor.utf8Bytes(text.charAt(i));
        }
        return bytes;
    }

    boolean haveStamp() {
        return values.containsKey(Pod.STAMP);
    }

    /**
     * Returns true if the pod has the annotation that lists the resources that Sluice has replaced. The author of the
     * pod may have written the annotation.
     */
    boolean haveFallback() {
        return values.containsKey(PodRequestAnnotations.FALLBACK);
    }

    /** Returns true if the pod is marked as the mirror of a static pod. Anybody may have written the mark. */
    boolean haveMirrorMark() {
        return values.containsKey(PodRequestAnnotations.MIRROR);
    }

    /**
     * Removes an annotation of Sluice that was written by the author of the pod. Sluice then ignores and overwrites it.
     */
    void discard(String annotation) {
        values.remove(annotation);
    }

    PodRequestAnnotations annotations() {
        return new PodRequestAnnotations(parent, Collections.unmodifiableMap(values), bytes);
    }
}
