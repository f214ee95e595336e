package dev.sluice.cli.console;

import java.io.PrintWriter;
import java.util.regex.Pattern;

/** Lines for people, of at most 100 columns, broken between words; {@link #GLUE} stands for a blank that is kept. */
public record TerminalPage(PrintWriter out, AnsiStyle style) {

    public static final String GLUE = "\u00a0";

    static final int COLUMNS = 100;

    /** As warnings have it: {@code (8 on 2 nodes)}. */
    private static final Pattern COUNT = Pattern.compile("\\(\\d+ on \\d+ nodes?\\)");

    public void line() {
        out.println();
    }

    public void line(String text) {
        out.println(text.replace(GLUE, " "));
    }

    /** Words after an indent; what does not fit goes on in the next line, under the first word. */
    public void words(String indent, String text) {
        words(indent, " ".repeat(indent.length()), text);
    }

    /** Words after a lead such as a number; further lines begin with {@code hanging}. */
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
