package dev.sluice.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names of others as words of a command that a user copies into a shell. */
public final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/-]+");

    private ShellWord() {}

    /** The command with each {@code %s} replaced by a word; empty if one of the words has no safe form. */
    public static Optional<String> command(String template, String... words) {
        List<String> safe = Arrays.stream(words)
                .map(ShellWord::of)
                .flatMap(Optional::stream)
                .toList();
        return safe.size() < words.length ? Optional.empty() : Optional.of(template.formatted(safe.toArray()));
    }

    /**
     * The word as a POSIX shell reads it back, in single quotes if it has any character beside letters, digits and
     * {@code . _ / -}. Empty if no quotes help: the command would take {@code -x} as an option, and a control character
     * would act before the shell sees it.
     */
    public static Optional<String> of(String word) {
        if (word.isEmpty() || word.startsWith("-") || !SafeText.isSafe(word)) {
            return Optional.empty();
        }
        return Optional.of(PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'");
    }
}
