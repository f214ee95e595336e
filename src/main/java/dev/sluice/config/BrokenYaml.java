package dev.sluice.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reports a YAML syntax error with its line and column.
 *
 * @param text the complete document
 * @param end the position at which the parser stopped
 */
record BrokenYaml(String text, JsonLocation end, ProblemCollector problems) {

    void report(JsonProcessingException broken) {
        switch (broken.getCause()) {
            case MarkedYAMLException marked
            when marked.getProblemMark() != null -> {
                Mark mark = marked.getProblemMark();
                reportSyntax(mark.getLine() + 1, mark.getColumn() + 1, String.valueOf(marked.getProblem()));
            }
            case ReaderException _ -> reportControlCharacter();
            case null, default -> {
                boolean tooDeep = broken instanceof StreamConstraintsException;
                String why = tooDeep ? "nested too deeply" : "found a key that is not plain text";
                reportSyntax(end.getLineNr(), end.getColumnNr(), why);
            }
        }
    }

    /**
     * Reports an illegal control character. The exception has only a position relative to SnakeYAML's buffer, so the
     * character is searched in the text.
     */
    private void reportControlCharacter() {
        int at = 0;
        while (at < text.length() && StreamReader.isPrintable(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        int line = 1 + (int) text.chars().limit(at).filter(c -> c == '\n').count();
        int column = at - text.lastIndexOf('\n', at - 1);
        reportSyntax(line, column, "found a control character");
    }

    private void reportSyntax(int line, int column, String why) {
        String fix = why.contains("TAB")
                ? "indent by spaces instead of tabs"
                : "check indentation, quotes and brackets there and above";
        String sentence = why.replaceAll("\\s+", " ").replaceAll(" ?\\(Do not use .*\\)", "");
        problems.problem(line, KeyPath.ROOT, "is no YAML from column " + column + " on (" + sentence + ")", fix);
    }
}
