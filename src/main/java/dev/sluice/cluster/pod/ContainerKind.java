package dev.sluice.cluster.pod;

/** The kinds of containers; a sidecar is an init container with {@code restartPolicy: Always}. */
public enum ContainerKind {
    MAIN,
    INIT,
    SIDECAR
}
