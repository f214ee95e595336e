package dev.sluice.admission;

import dev.sluice.cluster.Pod;
import org.jspecify.annotations.Nullable;

/**
 * The annotations that a decision reads or writes, and how large all of them are together.
 *
 * @param fallback the value of {@link #FALLBACK}; null where absent
 * @param fallbackMode the value of {@link #FALLBACK_MODE}; null where absent
 * @param stamp the value of {@link Pod#STAMP}; null where absent
 * @param totalBytes UTF-8 bytes of all keys and values of the pod's annotations
 */
public record PodAnnotations(
        Parent parent,
        @Nullable String fallback,
        @Nullable String fallbackMode,
        @Nullable String stamp,
        long totalBytes) {

    /** What was given instead of what was asked; ours, overwritten and never believed. */
    public static final String FALLBACK = "gpu-webhook.k8s.io/fallback";

    /** The user's: {@code keep} switches the pod's chains off. */
    public static final String FALLBACK_MODE = "gpu-webhook.k8s.io/fallback-mode";

    public static final PodAnnotations NONE = new PodAnnotations(Parent.NO_ANNOTATIONS, null, null, null, 0);

    /** What of the annotations' place in the pod is there already. */
    public enum Parent {
        NO_METADATA,
        NO_ANNOTATIONS,
        ANNOTATIONS
    }
}
