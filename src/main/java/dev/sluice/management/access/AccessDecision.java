package dev.sluice.management.access;

/** The decision about a request that has a token. */
public enum AccessDecision {
    ALLOWED,
    /** The token is not valid. */
    NOT_AUTHENTICATED,
    /** The token is valid, but its owner has no right to the path. */
    NOT_AUTHORISED,
    /**
     * It is unknown whether the request is allowed: the API server did not answer, or was not asked because a limit of
     * questions was reached.
     */
    UNKNOWN
}
