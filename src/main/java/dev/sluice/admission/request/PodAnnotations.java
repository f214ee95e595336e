package dev.sluice.admission.request;

import dev.sluice.admission.injection.LimitRangerDefaults;
import dev.sluice.admission.injection.PodResources;
import dev.sluice.cluster.Pod;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod's annotations, and how large all of them are together.
 *
 * @param totalBytes UTF-8 bytes of all keys and values
 */
public record PodAnnotations(Parent parent, Map<String, String> values, long totalBytes) {

    /** What was given instead of what was asked. Sluice overwrites this annotation and never believes it. */
    public static final String FALLBACK = "gpu-webhook.k8s.io/fallback";

    /** Why something else was given, where the policy wants that. Sluice overwrites it, too, and never believes it. */
    public static final String FALLBACK_MESSAGE = "gpu-webhook.k8s.io/fallback-message";

    /** What a change writes, and what goes when it is taken back. */
    public static final List<String> OF_A_CHANGE = List.of(FALLBACK, FALLBACK_MESSAGE);

    /** Users set it: {@code keep} switches the fallback chains of the pod off. */
    public static final String FALLBACK_MODE = "gpu-webhook.k8s.io/fallback-mode";

    /** The annotations that decisions read. */
    public static final Set<String> READ = Set.of(
            FALLBACK, FALLBACK_MESSAGE, FALLBACK_MODE, Pod.STAMP, PodResources.TYPE, LimitRangerDefaults.ANNOTATION);

    public static final PodAnnotations NONE = new PodAnnotations(Parent.NO_ANNOTATIONS, Map.of(), 0);

    /** How much of the path {@code /metadata/annotations} the pod has already. */
    public enum Parent {
        NO_METADATA,
        NO_ANNOTATIONS,
        ANNOTATIONS
    }

    /** The annotations after these are written. */
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

    /** The UTF-8 bytes of an annotation; 0 without it. */
    public static long bytesOf(String key, @Nullable String value) {
        return value == null ? 0 : utf8Length(key) + utf8Length(value);
    }

    private static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
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

    /** What LimitRanger says it did; empty if it did nothing. */
    public String limitRanger() {
        return values.getOrDefault(LimitRangerDefaults.ANNOTATION, "");
    }
}
