package dev.sluice.cli.console;

import dev.sluice.text.SafeText;

/** Safe text for a terminal. Colours are in it only where {@link AnsiStyle} has put them. */
public final class TerminalText {

    private final String shown;

    private TerminalText(String shown) {
        this.shown = shown;
    }

    /** Text that anybody may have written. */
    public static TerminalText of(String text) {
        return new TerminalText(SafeText.line(text));
    }

    /** This text, and behind it text that anybody may have written. */
    public TerminalText then(String text) {
        return new TerminalText(shown + SafeText.line(text));
    }

    /** The same text behind the other one. */
    public TerminalText after(String text) {
        return new TerminalText(SafeText.line(text) + shown);
    }

    TerminalText between(String start, String end) {
        return new TerminalText(start + shown + end);
    }

    String shown() {
        return shown;
    }
}
