package dev.sluice.request;

import dev.sluice.injection.LimitRangerDefaults;
import dev.sluice.injection.PodResources;
import dev.sluice.pod.Pod;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod's annotations, and how large all of them are together.
 *
 * @param totalBytes UTF-8 bytes of all keys and values
 */
public record PodAnnotations(Parent parent, Map<String, String> values, long totalBytes) {

    /** What was given instead of what was asked; ours, overwritten and never believed. */
    public static final String FALLBACK = "gpu-webhook.k8s.io/fallback";

    /** The user's: {@code keep} switches the pod's chains off. */
    public static final String FALLBACK_MODE = "gpu-webhook.k8s.io/fallback-mode";

    /** Those that decisions read. */
    public static final Set<String> READ =
            Set.of(FALLBACK, FALLBACK_MODE, Pod.STAMP, PodResources.TYPE, LimitRangerDefaults.ANNOTATION);

    public static final PodAnnotations NONE = new PodAnnotations(Parent.NO_ANNOTATIONS, Map.of(), 0);

    /** What of the annotations' place in the pod is there already. */
    public enum Parent {
        NO_METADATA,
        NO_ANNOTATIONS,
        ANNOTATIONS
    }

    /** With these written. */
    public PodAnnotations with(Map<String, String> written) {
        if (written.isEmpty()) {
            return this;
        }
        Map<String, String> all = new HashMap<>(values);
        long bytes = totalBytes;
        for (Map.Entry<String, String> one : written.entrySet()) {
            String before = all.put(one.getKey(), one.getValue());
            bytes += bytesOf(one.getKey(), one.getValue()) - bytesOf(one.getKey(), before);
        }
        return new PodAnnotations(Parent.ANNOTATIONS, Collections.unmodifiableMap(all), bytes);
    }

    /** UTF-8 bytes of an annotation; 0 where it is not there. */
    public static long bytesOf(String key, @Nullable String value) {
        return value == null ? 0 : utf8Length(key) + utf8Length(value);
    }

    private static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The value of {@link #FALLBACK}. */
    public @Nullable String fallback() {
        return values.get(FALLBACK);
    }

    /** The value of {@link #FALLBACK_MODE}. */
    public @Nullable String fallbackMode() {
        return values.get(FALLBACK_MODE);
    }

    /** The value of {@link Pod#STAMP}. */
    public @Nullable String stamp() {
        return values.get(Pod.STAMP);
    }

    /** The value of {@link PodResources#TYPE}, which asks for injection. */
    @Nullable
    public String gpuType() {
        return values.get(PodResources.TYPE);
    }

    /** What LimitRanger says it did; empty where it did nothing. */
    public String limitRanger() {
        return values.getOrDefault(LimitRangerDefaults.ANNOTATION, "");
    }
}
