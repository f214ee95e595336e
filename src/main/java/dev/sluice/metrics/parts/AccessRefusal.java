package dev.sluice.metrics.parts;

import java.util.Locale;

/** The reasons for refusing a request to the management port. */
public enum AccessRefusal {
    /** The request has no bearer token. */
    NO_TOKEN,
    /** The API server does not know the token. */
    NOT_AUTHENTICATED,
    /** The owner of the token has no right to the path. */
    NOT_AUTHORISED,
    /** The API server did not answer in time whether the request is allowed. */
    NOT_KNOWN;

    /** Returns the value of the label in metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
