package dev.sluice.kube.decode;

import dev.sluice.admission.request.PodAnnotations;
import dev.sluice.cluster.Pod;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Decodes a pod's annotations and their size: those that decisions read, and some of the others. */
public final class AnnotationsDecoder {

    /**
     * Other annotations are kept so that a rule of injection does not write the same value again. Pods have a dozen; of
     * a pod with more than this limit, some may be written again.
     */
    private static final int MAX_OTHERS = 256;

    /** The API server refuses a pod whose annotations have more in total. */
    private static final long MAX_BYTES = 256 * 1024;

    private final JsonCursor cursor;
    private PodAnnotations.Parent parent = PodAnnotations.Parent.NO_METADATA;
    private final Map<String, String> values = new HashMap<>();
    private int others;
    private long bytes;

    public AnnotationsDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    public void metadata(boolean there) {
        parent = there ? PodAnnotations.Parent.NO_ANNOTATIONS : PodAnnotations.Parent.NO_METADATA;
    }

    public void read() throws IOException {
        if (!cursor.isNull()) {
            parent = PodAnnotations.Parent.ANNOTATIONS;
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
        boolean read = PodAnnotations.READ.contains(key);
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

    public boolean haveStamp() {
        return values.containsKey(Pod.STAMP);
    }

    /** The pod was changed by Sluice, unless its author wrote that himself. */
    public boolean haveFallback() {
        return values.containsKey(PodAnnotations.FALLBACK);
    }

    /** A stamp that Sluice did not write is treated as missing, and overwritten. */
    void discardStamp() {
        values.remove(Pod.STAMP);
    }

    public PodAnnotations annotations() {
        return new PodAnnotations(parent, Collections.unmodifiableMap(values), bytes);
    }
}
