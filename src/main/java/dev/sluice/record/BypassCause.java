package dev.sluice.record;

import java.util.Locale;

/** Why nobody decided about a pod, as far as it can be known. */
public enum BypassCause {
    /** No gateway decided then: it was down, or had just begun, or did not know the current state of the cluster. */
    NOT_DECIDING,
    /**
     * This gateway decided then, but it was not asked or could not answer. The namespace may be excluded, the
     * conditions of the webhook may not fit, or the API server may have waited in vain.
     */
    NOT_ASKED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
