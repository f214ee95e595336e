package dev.sluice.cli.console;

import dev.sluice.text.SafeText;

/**
 * Text that is safe to print on a terminal. It contains no control characters except the colours of {@link AnsiStyle}.
 */
public final class TerminalText {

    private final String shown;

    private TerminalText(String shown) {
        this.shown = shown;
    }

    /** Creates safe text from untrusted text. */
    public static TerminalText of(String text) {
        return new TerminalText(SafeText.line(text));
    }

    /** Returns this text followed by an untrusted text, which is made safe. */
    public TerminalText then(String text) {
        return new TerminalText(shown + SafeText.line(text));
    }

    /** Returns an untrusted text, which is made safe, followed by this text. */
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
