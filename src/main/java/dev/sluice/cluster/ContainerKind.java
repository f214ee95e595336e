package dev.sluice.cluster;

/** The kinds of containers. A sidecar is an init container with {@code restartPolicy: Always}. */
public enum ContainerKind {
    MAIN,
    INIT,
    SIDECAR
}
