package dev.sluice.management.access;

/** What becomes of a request with a token. */
public enum AccessDecision {
    ALLOWED,
    /** The token is not valid. */
    NOT_AUTHENTICATED,
    /** The token is valid, and its owner has no right to what is asked for. */
    NOT_AUTHORISED,
    /** The API server did not answer, or was not asked, because too many questions wait or too many strangers came. */
    UNKNOWN
}
