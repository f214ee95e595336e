package dev.sluice.management.access;

import java.util.Locale;

/** Why a request is not let in. */
public enum AccessRefusal {
    /** It has no bearer token. */
    NO_TOKEN,
    /** The API server does not know its token. */
    NOT_AUTHENTICATED,
    /** The owner of its token has no right to its path. */
    NOT_AUTHORISED,
    /** The API server could not be asked in time. */
    NOT_KNOWN;

    /** The label in metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
