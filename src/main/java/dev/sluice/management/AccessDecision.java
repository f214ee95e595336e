package dev.sluice.management;

/** The decision about a request that has a token. */
enum AccessDecision {
    /** The owner of the token has the right to get the path. */
    ALLOWED,
    /** The owner of the token has no right to get the path, but may create pods in the namespace of the request. */
    ALLOWED_FOR_NAMESPACE,
    /** The token is not valid. */
    NOT_AUTHENTICATED,
    /** The token is valid, but its owner has no right to get the path, and may not create pods in the namespace. */
    NOT_AUTHORISED,
    /**
     * It is unknown whether the request is allowed: the API server did not answer, or was not asked because too many
     * requests to it were in progress.
     */
    UNKNOWN
}
