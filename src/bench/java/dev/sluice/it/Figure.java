package dev.sluice.it;

/** What grows while pods are created, as its own program counts it. */
public enum Figure {
    /** Calls of the gateway's webhook, and the seconds they took, as the API server saw them. */
    CALLS,
    CALL_SECONDS,
    /** Calls that took no longer than that; the API server's own limits. */
    CALLS_WITHIN_5_MS,
    CALLS_WITHIN_25_MS,
    CALLS_WITHIN_100_MS,
    CALLS_WITHIN_500_MS,
    /** Pods that passed unasked because a call failed, and calls that ended in a refusal or an error. */
    FAIL_OPEN,
    REJECTIONS,
    /** What the gateway says: from the whole body of a review to its answer. */
    DECISIONS,
    CHANGED,
    HTTP_ERRORS,
    FAULTS,
    REVIEW_SECONDS,
    /** TCP connections that anybody on this machine opened. */
    CONNECTIONS,
    /** Processor time in seconds; ours is everything that this JVM started, and itself. */
    GATEWAY_CPU,
    API_SERVER_CPU,
    OUR_CPU,
    /** Of all processors, whoever used it. */
    MACHINE_CPU
}
