package dev.sluice.codec;

import dev.sluice.admission.PodAnnotations;
import dev.sluice.cluster.Pod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads a pod's annotations: the few that matter, and the size of all. */
final class AnnotationsDecoder {

    private final JsonCursor cursor;
    private PodAnnotations.Parent parent = PodAnnotations.Parent.NO_METADATA;
    private @Nullable String fallback;
    private @Nullable String fallbackMode;
    private @Nullable String stamp;
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
        bytes += key.getBytes(StandardCharsets.UTF_8).length + cursor.textBytes("annotation " + key);
        switch (key) {
            case PodAnnotations.FALLBACK -> fallback = once(fallback, key);
            case PodAnnotations.FALLBACK_MODE -> fallbackMode = once(fallbackMode, key);
            case Pod.STAMP -> stamp = once(stamp, key);
            default -> {}
        }
    }

    private @Nullable String once(@Nullable String before, String key) throws IOException {
        if (before != null) {
            cursor.report("annotation " + key + " stands twice");
        }
        return cursor.text("annotation " + key);
    }

    PodAnnotations annotations() {
        return new PodAnnotations(parent, fallback, fallbackMode, stamp, bytes);
    }
}
