package dev.sluice.admission.verdict;

import java.util.List;

/**
 * A verdict in words, each one line.
 *
 * @param warnings in the order of their causes
 * @param message of a denial; empty otherwise
 */
public record Words(List<String> warnings, String message) {

    public Words {
        warnings = List.copyOf(warnings);
    }
}
