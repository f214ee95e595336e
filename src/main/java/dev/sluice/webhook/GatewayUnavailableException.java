package dev.sluice.webhook;

/** Signals that no decision is possible now. The gateway answers with 503, and the API server repeats the request. */
final class GatewayUnavailableException extends Exception {

    private static final long serialVersionUID = 1;

    private final String why;

    GatewayUnavailableException(String why) {
        super(why, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.why = why;
    }

    String why() {
        return why;
    }
}
