package dev.sluice.cli.console;

import java.io.Console;
import java.util.Objects;
import java.util.Optional;

/** Formats text with ANSI escapes if the output is a terminal that supports them. */
public enum AnsiStyle {
    PLAIN,
    COLOURED;

    private static final String RESET = "\u001b[0m";

    /**
     * Returns the style for this process. There are colours on a terminal, unless {@code NO_COLOR} is set
     * (no-color.org) or {@code TERM} is dumb.
     */
    public static AnsiStyle ofThisProcess() {
        String noColour = System.getenv("NO_COLOR");
        boolean wanted = noColour == null || noColour.isEmpty();
        boolean able = !Objects.equals(System.getenv("TERM"), "dumb");
        boolean terminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        return terminal && wanted && able ? COLOURED : PLAIN;
    }

    public TerminalText strong(String text) {
        return in("1", text);
    }

    public TerminalText faint(String text) {
        return in("2", text);
    }

    public TerminalText good(String text) {
        return in("32", text);
    }

    public TerminalText doubtful(String text) {
        return in("33", text);
    }

    public TerminalText bad(String text) {
        return in("31", text);
    }

    private TerminalText in(String code, String text) {
        TerminalText safe = TerminalText.of(text);
        return this == PLAIN ? safe : safe.between("\u001b[" + code + "m", RESET);
    }
}
