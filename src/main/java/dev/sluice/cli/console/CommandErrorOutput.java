package dev.sluice.cli.console;

/**
 * A command whose {@code -o json} always writes exactly one document. If the command ends early, the document contains
 * the error, so that programs need not read standard error.
 */
public interface CommandErrorOutput {

    /** Writes a document that holds only this error. */
    void writeError(String sentence);
}
