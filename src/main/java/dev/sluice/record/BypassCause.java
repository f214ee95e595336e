package dev.sluice.record;

import java.util.Locale;

/** The known reasons why no gateway decided about a pod. */
public enum BypassCause {
    /**
     * No gateway made decisions when the pod was created: all gateways were down, had just started, or did not know the
     * current state of the cluster.
     */
    NOT_DECIDING,
    /**
     * This gateway made decisions when the pod was created, but the API server did not call it or did not get its
     * answer in time. Possible causes are a namespace that the webhook excludes, the match conditions of the webhook,
     * and a timeout.
     */
    NOT_ASKED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
