package dev.sluice.cli.console;

import dev.sluice.text.SafeText;
import java.io.PrintWriter;
import java.util.regex.Pattern;

/**
 * Prints lines of at most 100 columns. Lines are broken between words. The character {@link #GLUE} is printed as a
 * blank at which the line is not broken. All text is made safe for the terminal.
 *
 * @param out receives only safe text, with the colours of {@code style}
 */
public record TerminalPage(PrintWriter out, AnsiStyle style) {

    public static final String GLUE = "\u00a0";

    static final int COLUMNS = 100;

    /** The pattern of a number in brackets, such as {@code (8 on 2 nodes)}. Lines are not broken within it. */
    private static final Pattern COUNT = Pattern.compile("\\(\\d+ on \\d+ nodes?\\)");

    public void line() {
        out.println();
    }

    public void line(String text) {
        line(TerminalText.of(text));
    }

    public void line(TerminalText text) {
        print(new StringBuilder(text.shown()));
    }

    /**
     * Prints a sentence. If it needs several lines, all further lines begin with two blanks, so that a name in the
     * sentence cannot forge a line.
     */
    public void sentence(String text) {
        words("", "  ", text);
    }

    /** Prints words after an indent. If they need several lines, each line has the indent. */
    public void words(String indent, String text) {
        words(indent, TerminalText.of(text));
    }

    public void words(String indent, TerminalText text) {
        words(indent, " ".repeat(indent.length()), text);
    }

    /**
     * Prints words after a prefix such as a number. If they need several lines, all further lines begin with
     * {@code hanging}.
     */
    public void words(String lead, String hanging, String text) {
        words(lead, hanging, TerminalText.of(text));
    }

    public void words(String lead, String hanging, TerminalText text) {
        StringBuilder line = new StringBuilder(SafeText.line(lead));
        boolean first = true;
        for (String word : withCountsKept(text.shown()).split(" ", -1)) {
            if (!first && line.length() + 1 + word.length() > COLUMNS) {
                print(line);
                line = new StringBuilder(hanging);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
            first = false;
        }
        print(line);
    }

    private void print(StringBuilder safe) {
        out.println(safe.toString().replace(GLUE, " "));
    }

    private static String withCountsKept(String text) {
        return COUNT.matcher(text).replaceAll(count -> count.group().replace(" ", GLUE));
    }
}
