package dev.sluice.api;

/** A parameter of the query cannot be used. The message names it, what it is and what is expected. */
final class BadParameter extends Exception {

    private static final long serialVersionUID = 1;

    BadParameter(String sentence) {
        super(sentence, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
