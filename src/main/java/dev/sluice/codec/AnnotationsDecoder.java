package dev.sluice.codec;

import dev.sluice.admission.PodAnnotations;
import dev.sluice.cluster.Pod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Reads a pod's annotations, and how large they are. */
final class AnnotationsDecoder {

    private final JsonCursor cursor;
    private PodAnnotations.Parent parent = PodAnnotations.Parent.NO_METADATA;
    private final Map<String, String> values = new HashMap<>();
    private long bytes;

    AnnotationsDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    void metadata(boolean there) {
        parent = there ? PodAnnotations.Parent.NO_ANNOTATIONS : PodAnnotations.Parent.NO_METADATA;
    }

    void read() throws IOException {
        if (!cursor.isNull()) {
            parent = PodAnnotations.Parent.ANNOTATIONS;
        }
        cursor.object("metadata.annotations", this::annotation);
    }

    private void annotation(String key) throws IOException {
        String place = "annotation " + key;
        bytes += key.getBytes(StandardCharsets.UTF_8).length + cursor.textBytes(place);
        String value = cursor.text(place);
        String before = value == null ? null : values.put(key, value);
        if (before != null && PodAnnotations.READ.contains(key)) {
            cursor.report(place + " stands twice");
        }
    }

    boolean haveStamp() {
        return values.containsKey(Pod.STAMP);
    }

    /** It was not given by us: it is as if it were not there, and overwritten. */
    void disbelieveStamp() {
        values.remove(Pod.STAMP);
    }

    PodAnnotations annotations() {
        return new PodAnnotations(parent, Collections.unmodifiableMap(values), bytes);
    }
}
