package dev.sluice.cluster;

/** The kinds of containers. A sidecar is an init container with {@code restartPolicy: Always}. */
public enum PodContainerKind {
    MAIN,
    INIT,
    SIDECAR
}
