package dev.sluice.files;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** The reason why a file cannot be read. */
public enum FileReadFailure {
    MISSING("does not exist"),
    DENIED("may not be read by this user"),
    NOT_UTF8("is not UTF-8"),
    OTHER("cannot be read");

    private final String fault;

    FileReadFailure(String fault) {
        this.fault = fault;
    }

    public static FileReadFailure of(IOException failed) {
        return switch (failed) {
            case NoSuchFileException _ -> MISSING;
            case AccessDeniedException _ -> DENIED;
            case CharacterCodingException _ -> NOT_UTF8;
            default -> OTHER;
        };
    }

    public String fault() {
        return fault;
    }

    /**
     * Returns the rest of a sentence that begins with the name of the file, such as {@code does not exist}.
     *
     * @param ifMissing the advice that is added to the sentence if the file does not exist
     */
    public static String sentence(IOException failed, String ifMissing) {
        FileReadFailure failure = of(failed);
        return failure.fault
                + switch (failure) {
                    case MISSING -> "; " + ifMissing;
                    case DENIED -> "; change its permissions";
                    case NOT_UTF8 -> "; save it as UTF-8";
                    case OTHER -> ": " + failed.getMessage();
                };
    }
}
