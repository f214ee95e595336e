package dev.sluice.config.tree;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/** Reads one YAML document into nodes that know their lines. Only broken syntax ends the reading. */
public final class YamlTree {

    /** An empty plain scalar is null; factories made by a builder do not assume it. */
    private static final YAMLFactory FACTORY = YAMLFactory.builder()
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .streamReadConstraints(DocumentTree.LENGTHS)
            .build();

    private final String text;
    private final YAMLParser parser;
    private final ProblemCollector problems;

    private YamlTree(String text, YAMLParser parser, ProblemCollector problems) {
        this.text = text;
        this.parser = parser;
        this.problems = problems;
    }

    public static YamlNode read(String text, ProblemCollector problems) {
        try (YAMLParser parser = FACTORY.createParser(text)) {
            return new YamlTree(text, parser, problems).document();
        } catch (IOException impossible) {
            throw new IllegalStateException("reading text from memory failed", impossible);
        }
    }

    private YamlNode document() throws IOException {
        try {
            if (parser.nextToken() == null) {
                return new YamlNode.Null(1);
            }
            DocumentTree tree = new DocumentTree(parser, problems);
            YamlNode root = tree.root();
            if (parser.nextToken() != null) {
                problems.problem(
                        tree.line(), KeyPath.ROOT, "holds a second document", "keep one and remove the line with ---");
            }
            return root;
        } catch (JsonProcessingException broken) {
            reportBroken(broken);
            return new YamlNode.Reported(1);
        }
    }

    private void reportBroken(JsonProcessingException broken) {
        switch (broken.getCause()) {
            case MarkedYAMLException marked
            when marked.getProblemMark() != null -> {
                Mark mark = marked.getProblemMark();
                reportSyntax(mark.getLine() + 1, mark.getColumn() + 1, String.valueOf(marked.getProblem()));
            }
            case ReaderException _ -> reportControlCharacter();
            case null, default -> {
                boolean tooDeep = broken instanceof StreamConstraintsException;
                reportSyntax(
                        parser.currentLocation().getLineNr(),
                        parser.currentLocation().getColumnNr(),
                        tooDeep ? "nested too deeply" : "found a key that is not plain text");
            }
        }
    }

    /** The position is searched for, because that of the exception is a position in SnakeYAML's buffer. */
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
