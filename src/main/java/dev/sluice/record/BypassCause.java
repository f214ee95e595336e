package dev.sluice.record;

import java.util.Locale;

/** The reasons why nobody decided about a pod, as far as they can be known. */
public enum BypassCause {
    /**
     * No gateway decided at that time: all were down, had just started, or did not know the current state of the
     * cluster.
     */
    NOT_DECIDING,
    /**
     * This gateway decided at that time, but the API server did not ask it or got no answer in time. Possible causes
     * are an excluded namespace, the conditions of the webhook, and a timeout.
     */
    NOT_ASKED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
