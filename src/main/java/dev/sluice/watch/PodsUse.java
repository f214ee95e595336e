package dev.sluice.watch;

/** What pods are watched for. */
public enum PodsUse {
    /** Decisions need them: without them nothing is decided. */
    DECISIONS,
    /** They are only shown, as what is taken of the cluster: an account that may not list them does without. */
    DISPLAY
}
