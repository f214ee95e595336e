package dev.sluice.cli.console;

/**
 * A command whose {@code -o json} writes one document in any case. If the command ends early, the document says why, so
 * that programs need not read standard error.
 */
public interface ErrorDocument {

    /** Writes a document that holds only this error. */
    void writeError(String sentence);
}
