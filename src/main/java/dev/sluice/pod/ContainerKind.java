package dev.sluice.pod;

/** What a container is to the arithmetic; a sidecar is an init container with {@code restartPolicy: Always}. */
public enum ContainerKind {
    MAIN,
    INIT,
    SIDECAR
}
