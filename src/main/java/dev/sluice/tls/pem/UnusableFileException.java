package dev.sluice.tls.pem;

import java.io.Serial;

/** A file cannot be used. The message names the file and tells the user what to do. */
public final class UnusableFileException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    public UnusableFileException(String message) {
        super(message);
    }
}
