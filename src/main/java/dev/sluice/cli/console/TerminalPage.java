package dev.sluice.cli.console;

import java.io.PrintWriter;
import java.util.regex.Pattern;

/** Prints lines of at most 100 columns, broken between words but not at {@link #GLUE}, which is printed as a blank. */
public record TerminalPage(PrintWriter out, AnsiStyle style) {

    public static final String GLUE = "\u00a0";

    static final int COLUMNS = 100;

    /** Counts in warnings, such as {@code (8 on 2 nodes)}, are not broken. */
    private static final Pattern COUNT = Pattern.compile("\\(\\d+ on \\d+ nodes?\\)");

    public void line() {
        out.println();
    }

    public void line(String text) {
        out.println(text.replace(GLUE, " "));
    }

    /** Prints words after an indent, which further lines have as well. */
    public void words(String indent, String text) {
        words(indent, " ".repeat(indent.length()), text);
    }

    /** Prints words after a lead such as a number. Further lines begin with {@code hanging}. */
    public void words(String lead, String hanging, String text) {
        StringBuilder line = new StringBuilder(lead);
        boolean first = true;
        for (String word : withCountsKept(text).split(" ", -1)) {
            if (!first && line.length() + 1 + word.length() > COLUMNS) {
                line(line.toString());
                line = new StringBuilder(hanging);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
            first = false;
        }
        line(line.toString());
    }

    private static String withCountsKept(String text) {
        return COUNT.matcher(text).replaceAll(count -> count.group().replace(" ", GLUE));
    }
}
