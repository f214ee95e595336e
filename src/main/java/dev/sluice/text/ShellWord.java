package dev.sluice.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Quotes untrusted names in a command that a user copies into a shell. */
public final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/-]+");

    private ShellWord() {}

    /**
     * Returns the command with each {@code %s} replaced by a quoted word. Returns empty if a word cannot be quoted
     * safely.
     */
    public static Optional<String> command(String template, String... words) {
        List<String> safe = Arrays.stream(words)
                .map(ShellWord::of)
                .flatMap(Optional::stream)
                .toList();
        return safe.size() < words.length ? Optional.empty() : Optional.of(template.formatted(safe.toArray()));
    }

    /**
     * Returns the word in a form that a POSIX shell reads as one word. A word with any character other than letters,
     * digits and {@code . _ / -} is put in single quotes. Returns empty for a word that is empty, or not safe even in
     * quotes: a command would read {@code -x} as an option, and a terminal would act on a control character.
     */
    public static Optional<String> of(String word) {
        if (word.isEmpty() || word.startsWith("-") || !SafeText.isSafe(word)) {
            return Optional.empty();
        }
        return Optional.of(PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'");
    }
}
