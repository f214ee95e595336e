package dev.sluice.cli.console;

import dev.sluice.text.SafeText;
import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * A PrintWriter that makes untrusted text safe, so that the text cannot control the terminal. Unsafe characters are
 * escaped as in JSON, so JSON documents stay valid. A text that is passed to {@code println} becomes exactly one line.
 */
public final class TerminalPrinter extends PrintWriter {

    /** The first half of a surrogate pair whose second half comes with the next call. It is 0 if there is none. */
    private char half;

    public TerminalPrinter(Writer out) {
        super(out, /* autoFlush= */ true);
    }

    @Override
    public void println(@Nullable String line) {
        super.println(SafeText.line(String.valueOf(line)));
    }

    @Override
    public void println(@Nullable Object line) {
        println(String.valueOf(line));
    }

    @Override
    public void write(int c) {
        write(new char[] {(char) c}, 0, 1);
    }

    @Override
    public void write(String text, int start, int length) {
        write(text.toCharArray(), start, length);
    }

    @Override
    public void write(char[] text, int start, int length) {
        StringBuilder safe = new StringBuilder(length + 16);
        for (int i = start; i < start + length; i++) {
            append(text[i], safe);
        }
        super.write(safe.toString(), 0, safe.length());
    }

    private void append(char c, StringBuilder safe) {
        char before = half;
        half = 0;
        if (Character.isSurrogatePair(before, c)) {
            SafeText.append(Character.toCodePoint(before, c), safe);
            return;
        }
        if (before != 0) {
            SafeText.append(before, safe);
        }
        if (Character.isHighSurrogate(c)) {
            half = c;
        } else if (c == '\n') {
            safe.append(c);
        } else {
            SafeText.append(c, safe);
        }
    }
}
