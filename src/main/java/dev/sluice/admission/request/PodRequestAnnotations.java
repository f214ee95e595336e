package dev.sluice.admission.request;

import dev.sluice.admission.injection.InjectionLimitRangerDefaults;
import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.cluster.Pod;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a pod that decisions read, and the total size of all its annotations.
 *
 * @param totalBytes the number of UTF-8 bytes of all keys and values
 */
public record PodRequestAnnotations(Parent parent, Map<String, String> values, long totalBytes) {

    /**
     * The annotation that lists the replaced resources. Sluice overwrites it, and ignores a value that the author of
     * the pod wrote.
     */
    public static final String FALLBACK = "gpu-webhook.k8s.io/fallback";

    /**
     * The annotation with the message about the replaced resources, if the policy requests one. Sluice overwrites it,
     * and ignores a value that the author of the pod wrote.
     */
    public static final String FALLBACK_MESSAGE = "gpu-webhook.k8s.io/fallback-message";

    /**
     * The annotation with the GPUs that the containers requested before Sluice replaced some of them. Sluice writes it
     * only if {@code managedFields} do not show these GPUs, and ignores a value that the author of the pod wrote.
     */
    public static final String ASKED = "gpu-webhook.k8s.io/asked";

    /**
     * The annotations that Sluice writes when it replaces resources. They are removed when the replacements are undone.
     */
    public static final List<String> OF_A_CHANGE = List.of(FALLBACK, FALLBACK_MESSAGE, ASKED);

    /** The annotation with which users turn off the fallback chains of a pod. Its value is {@code keep}. */
    public static final String FALLBACK_MODE = "gpu-webhook.k8s.io/fallback-mode";

    /** The annotation by which a kubelet marks a mirror pod, which only represents a static pod at the API server. */
    public static final String MIRROR = "kubernetes.io/config.mirror";

    /** The annotations that decisions read. */
    public static final Set<String> READ = Set.of(
            FALLBACK,
            FALLBACK_MESSAGE,
            FALLBACK_MODE,
            ASKED,
            MIRROR,
            Pod.STAMP,
            InjectionPodResources.TYPE,
            InjectionLimitRangerDefaults.ANNOTATION);

    public static final PodRequestAnnotations NONE = new PodRequestAnnotations(Parent.NO_ANNOTATIONS, Map.of(), 0);

    /** The parts of the path {@code /metadata/annotations} that exist in the pod. */
    public enum Parent {
        NO_METADATA,
        NO_ANNOTATIONS,
        ANNOTATIONS
    }

    /** Returns a copy that also contains these annotations. */
    public PodRequestAnnotations with(Map<String, String> written) {
        if (written.isEmpty()) {
            return this;
        }
        Map<String, String> all = new HashMap<>(values);
        long bytes = totalBytes;
        for (Map.Entry<String, String> one : written.entrySet()) {
            String before = all.put(one.getKey(), one.getValue());
            bytes += bytesOf(one.getKey(), one.getValue()) - bytesOf(one.getKey(), before);
        }
        return new PodRequestAnnotations(Parent.ANNOTATIONS, Collections.unmodifiableMap(all), bytes);
    }

    /** Returns the number of UTF-8 bytes of an annotation. Returns 0 if the value is null. */
    public static long bytesOf(String key, @Nullable String value) {
        return value == null ? 0 : utf8Length(key) + utf8Length(value);
    }

    private static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    public @Nullable String fallbackMode() {
        return values.get(FALLBACK_MODE);
    }

    public @Nullable String stamp() {
        return values.get(Pod.STAMP);
    }

    /**
     * Returns the value of the annotation {@link InjectionPodResources#TYPE}, which requests injection. Returns null if
     * the pod does not have it.
     */
    @Nullable
    public String gpuType() {
        return values.get(InjectionPodResources.TYPE);
    }

    /**
     * Returns the annotation in which LimitRanger lists the defaults that it filled in. Returns an empty text if there
     * is none.
     */
    public String limitRanger() {
        return values.getOrDefault(InjectionLimitRangerDefaults.ANNOTATION, "");
    }
}
