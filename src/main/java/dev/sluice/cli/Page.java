package dev.sluice.cli;

import java.io.PrintWriter;

/** Lines for people, of at most 100 columns, broken between words. */
public record Page(PrintWriter out, Ink ink) {

    static final int COLUMNS = 100;

    public void line() {
        out.println();
    }

    public void line(String text) {
        out.println(text);
    }

    /** Words after an indent; what does not fit goes on in the next line, under the first word. */
    public void words(String indent, String text) {
        words(indent, " ".repeat(indent.length()), text);
    }

    /** Words after a lead such as a number; further lines begin with {@code hanging}. */
    public void words(String lead, String hanging, String text) {
        StringBuilder line = new StringBuilder(lead);
        boolean first = true;
        for (String word : text.split(" ", -1)) {
            if (!first && line.length() + 1 + word.length() > COLUMNS) {
                out.println(line);
                line = new StringBuilder(hanging);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
            first = false;
        }
        out.println(line);
    }
}
