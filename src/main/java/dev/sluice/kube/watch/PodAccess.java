package dev.sluice.kube.watch;

/** What follows when the account may not list pods. */
public enum PodAccess {
    /** Decisions need pods, so nothing is decided without them. */
    REQUIRED,
    /** Pods are only shown, as what is allocated in the cluster, so they are left out. */
    OPTIONAL
}
