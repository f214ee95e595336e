package dev.sluice.admission.verdict;

import java.util.List;

/**
 * The texts of a verdict, each on one line.
 *
 * @param warnings the warnings, in the order of their causes
 * @param message the message of a denial; empty if the pod is admitted
 */
public record VerdictTexts(List<String> warnings, String message) {

    public VerdictTexts {
        warnings = List.copyOf(warnings);
    }
}
