package dev.sluice.cli.console;

import java.io.Console;
import java.util.Objects;
import java.util.Optional;

/** Styles text with ANSI escapes if a terminal shows them. */
public enum AnsiStyle {
    PLAIN,
    COLOURED;

    private static final String RESET = "\u001b[0m";

    /** Coloured on a terminal, unless {@code NO_COLOR} is set (no-color.org) or {@code TERM} is dumb. */
    public static AnsiStyle ofThisProcess() {
        String noColour = System.getenv("NO_COLOR");
        boolean wanted = noColour == null || noColour.isEmpty();
        boolean able = !Objects.equals(System.getenv("TERM"), "dumb");
        boolean terminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        return terminal && wanted && able ? COLOURED : PLAIN;
    }

    public String strong(String text) {
        return in("1", text);
    }

    public String faint(String text) {
        return in("2", text);
    }

    public String good(String text) {
        return in("32", text);
    }

    public String doubtful(String text) {
        return in("33", text);
    }

    public String bad(String text) {
        return in("31", text);
    }

    private String in(String code, String text) {
        return this == PLAIN ? text : "\u001b[" + code + "m" + text + RESET;
    }
}
