package dev.sluice.config.tree;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.sluice.config.tree.YamlNode.Entry;
import dev.sluice.config.tree.YamlNode.Scalar.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reads one YAML document into nodes that know their lines. What is legal YAML and yet no configuration (a key written
 * twice, an alias, a second document) is a finding, so that everything else is still looked at; only broken syntax ends
 * the reading. That is why duplicates are found here and not by Jackson's strict detection, which throws at the first.
 */
public final class YamlTree {

    /**
     * As {@link JsonTree} has it: only depth is limited. Null is what new factories make of nothing, builders do not.
     */
    private static final YAMLFactory FACTORY = YAMLFactory.builder()
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .streamReadConstraints(JsonTree.LENGTHS)
            .build();

    /** The deepest legal key, an entry of a chain below a namespace, is at 6. */
    private static final int DEEPEST = 16;

    private final String text;
    private final YAMLParser parser;
    private final ProblemCollector findings;

    private YamlTree(String text, YAMLParser parser, ProblemCollector findings) {
        this.text = text;
        this.parser = parser;
        this.findings = findings;
    }

    public static YamlNode read(String text, ProblemCollector findings) {
        try (YAMLParser parser = FACTORY.createParser(text)) {
            return new YamlTree(text, parser, findings).document();
        } catch (IOException impossible) {
            throw new IllegalStateException("reading text from memory failed", impossible);
        }
    }

    private YamlNode document() throws IOException {
        try {
            if (parser.nextToken() == null) {
                return new YamlNode.Null(1);
            }
            YamlNode root = node(KeyPath.ROOT, 0);
            if (parser.nextToken() != null) {
                findings.problem(
                        line(), KeyPath.ROOT, "holds a second document", "keep one and remove the line with ---");
            }
            return root;
        } catch (JsonProcessingException broken) {
            reportBroken(broken);
            return new YamlNode.Reported(1);
        }
    }

    private YamlNode node(KeyPath path, int depth) throws IOException {
        int line = line();
        if (depth > DEEPEST) {
            parser.skipChildren();
            return reported(line, path, "is nested too deeply", "expected at most " + DEEPEST + " levels");
        }
        if (parser.isCurrentAlias()) {
            return reported(line, path, "is an alias of another value", "write the value itself");
        }
        if (parser.getTypeId() != null) {
            parser.skipChildren();
            return reported(line, path, "has a YAML tag", "write the value without it");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(line, path, depth);
            case START_ARRAY -> items(line, path, depth);
            case VALUE_NULL -> new YamlNode.Null(line);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(line, Kind.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> scalar(line, Kind.BOOLEAN);
            default -> scalar(line, Kind.TEXT);
        };
    }

    private YamlNode reported(int line, KeyPath path, String fault, String fix) {
        findings.problem(line, path, fault, fix);
        return new YamlNode.Reported(line);
    }

    private YamlNode scalar(int line, Kind kind) throws IOException {
        return new YamlNode.Scalar(line, kind, parser.getText());
    }

    private YamlNode mapping(int line, KeyPath path, int depth) throws IOException {
        Map<String, Integer> firstLines = new HashMap<>();
        List<Entry> entries = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            int keyLine = line();
            KeyPath keyPath = path.key(key);
            Integer firstLine = firstLines.putIfAbsent(key, keyLine);
            JsonToken value = parser.nextToken();
            if (firstLine != null) {
                findings.problem(keyLine, keyPath, "is written twice, first in line " + firstLine, "keep one");
                parser.skipChildren();
            } else if (value != null) {
                findings.wrote(keyPath, keyLine);
                entries.add(new Entry(keyLine, key, node(keyPath, depth + 1)));
            }
        }
        return new YamlNode.Mapping(line, List.copyOf(entries));
    }

    private YamlNode items(int line, KeyPath path, int depth) throws IOException {
        List<YamlNode> nodes = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            nodes.add(node(path.item(nodes.size()), depth + 1));
        }
        return new YamlNode.Items(line, List.copyOf(nodes));
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private void reportBroken(JsonProcessingException broken) {
        switch (broken.getCause()) {
            case MarkedYAMLException marked
            when marked.getProblemMark() != null ->
                reportSyntax(
                        marked.getProblemMark().getLine() + 1,
                        marked.getProblemMark().getColumn() + 1,
                        String.valueOf(marked.getProblem()));
            case ReaderException _ -> reportControlCharacter();
            case null, default -> {
                int line = parser.currentLocation().getLineNr();
                int column = parser.currentLocation().getColumnNr();
                boolean tooDeep = broken instanceof StreamConstraintsException;
                reportSyntax(line, column, tooDeep ? "nested too deeply" : "found a key that is not plain text");
            }
        }
    }

    /** The exception's own position is that within a buffer. */
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
        findings.problem(line, KeyPath.ROOT, "is no YAML from column " + column + " on (" + sentence + ")", fix);
    }
}
