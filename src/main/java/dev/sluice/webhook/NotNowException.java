package dev.sluice.webhook;

/** Nothing can be decided at the moment; the API server tries again. */
final class NotNowException extends Exception {

    private static final long serialVersionUID = 1;

    private final String why;

    NotNowException(String why) {
        super(why, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.why = why;
    }

    String why() {
        return why;
    }
}
