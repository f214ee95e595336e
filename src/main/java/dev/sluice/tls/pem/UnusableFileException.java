package dev.sluice.tls.pem;

import java.io.Serial;

/** A file does not hold what is needed of it; the message is for the user, names the file and says what to do. */
public final class UnusableFileException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    public UnusableFileException(String message) {
        super(message);
    }
}
