package dev.sluice.kube.watch;

/** Determines what the gateway does if its service account is not allowed to list pods. */
public enum PodReflectorAccess {
    /** Decisions need the pods, so the gateway makes no decisions without them. */
    REQUIRED,
    /** The pods are only used to show what is allocated in the cluster, so the gateway works without them. */
    OPTIONAL
}
