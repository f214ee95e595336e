package dev.sluice.config.tree;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.sluice.config.tree.YamlNode.Entry;
import dev.sluice.config.tree.YamlNode.Scalar.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds the nodes of one document from the tokens of Jackson's parsers for YAML and JSON. A key that is written twice,
 * an alias or a tag is legal YAML and no configuration; each is reported as a problem, and the rest of the document is
 * still read. Decision 14 says why no library builds these nodes.
 */
public final class DocumentTree {

    /** What a ConfigMap can hold, from which the files usually come. */
    public static final int MOST_BYTES = 1 << 20;

    /** Long names and numbers are refused by the readers that know the keys; the size of the file is limited. */
    static final StreamReadConstraints LENGTHS = StreamReadConstraints.builder()
            .maxNameLength(MOST_BYTES)
            .maxNumberLength(MOST_BYTES)
            .build();

    /** The deepest legal value is at level 7: a resource in a rule of a namespace in the injection file. */
    private static final int DEEPEST = 16;

    private final JsonParser parser;
    private final ProblemCollector problems;

    DocumentTree(JsonParser parser, ProblemCollector problems) {
        this.parser = parser;
        this.problems = problems;
    }

    YamlNode root() throws IOException {
        return node(KeyPath.ROOT, 0);
    }

    int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private YamlNode node(KeyPath path, int depth) throws IOException {
        if (depth > DEEPEST) {
            return skipped(path, "is nested too deeply", "expected at most " + DEEPEST + " levels");
        }
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            return skipped(path, "is an alias of another value", "write the value itself");
        }
        if (parser.getTypeId() != null) {
            return skipped(path, "has a YAML tag", "write the value without it");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(line(), path, depth);
            case START_ARRAY -> items(line(), path, depth);
            case VALUE_NULL -> new YamlNode.Null(line());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(Kind.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> scalar(Kind.BOOLEAN);
            default -> scalar(Kind.TEXT);
        };
    }

    /** Syntax that is broken within the value is reported alone in YAML, and beside the value in JSON. */
    private YamlNode skipped(KeyPath path, String fault, String fix) throws IOException {
        int line = line();
        if (parser instanceof YAMLParser) {
            parser.skipChildren();
        }
        problems.problem(line, path, fault, fix);
        parser.skipChildren();
        return new YamlNode.Reported(line);
    }

    private YamlNode scalar(Kind kind) throws IOException {
        return new YamlNode.Scalar(line(), kind, parser.getText());
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
                problems.problem(keyLine, keyPath, "is written twice, first in line " + firstLine, "keep one");
                parser.skipChildren();
            } else if (value != null) {
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
}
