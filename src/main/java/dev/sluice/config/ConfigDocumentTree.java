package dev.sluice.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.sluice.config.ConfigProblem.SourcePosition;
import dev.sluice.config.YamlNode.Entry;
import dev.sluice.config.YamlNode.Scalar.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a tree of nodes from a YAML or JSON document. Jackson's parsers produce the tokens. Duplicate keys, aliases
 * and tags are legal YAML, but they are not allowed in a configuration. Each of them is reported as a problem, and the
 * rest of the document is still read. Decision 14 explains why no library builds the tree.
 */
final class ConfigDocumentTree {

    /**
     * The maximum size of a document in bytes. It is the maximum size of a ConfigMap, from which the files usually
     * come.
     */
    public static final int MOST_BYTES = 1 << 20;

    /**
     * The parsers accept names and numbers of any length. Other code rejects values that are too long for their keys,
     * and the size of the file is limited.
     */
    private static final StreamReadConstraints LENGTHS = StreamReadConstraints.builder()
            .maxNameLength(MOST_BYTES)
            .maxNumberLength(MOST_BYTES)
            .build();

    /**
     * The maximum nesting depth. The deepest valid value is at level 7: a resource in a rule of a namespace in the
     * injection file.
     */
    private static final int DEEPEST = 16;

    private static final JsonFactory JSON =
            JsonFactory.builder().streamReadConstraints(LENGTHS).build();

    /**
     * Creates the parsers for YAML. With {@code EMPTY_STRING_AS_NULL}, the value of a key without a value is null and
     * not an empty text.
     */
    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .streamReadConstraints(LENGTHS)
            .build();

    private static final String WRITE_NOTHING = "write {} where nothing is to be injected";

    private final JsonParser parser;
    private final ProblemCollector problems;

    private ConfigDocumentTree(JsonParser parser, ProblemCollector problems) {
        this.parser = parser;
        this.problems = problems;
    }

    public static YamlNode yaml(String text, ProblemCollector problems) {
        try (YAMLParser parser = YAML.createParser(text)) {
            return new ConfigDocumentTree(parser, problems).yamlDocument(text);
        } catch (IOException impossible) {
            throw new IllegalStateException("reading text from memory failed", impossible);
        }
    }

    public static YamlNode json(String text, ProblemCollector problems) {
        try (JsonParser parser = JSON.createParser(text)) {
            return new ConfigDocumentTree(parser, problems).jsonDocument();
        } catch (IOException impossible) {
            throw new IllegalStateException("reading text from memory failed", impossible);
        }
    }

    private YamlNode yamlDocument(String text) throws IOException {
        try {
            return parser.nextToken() == null
                    ? new YamlNode.Null(problems.at(1))
                    : document("holds a second document", "keep one and remove the line with ---");
        } catch (JsonProcessingException broken) {
            new BrokenYaml(text, parser.currentLocation(), problems).report(broken);
            return new YamlNode.Reported(problems.at(1));
        }
    }

    private YamlNode jsonDocument() throws IOException {
        try {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return refuse(1, "is empty", WRITE_NOTHING);
            }
            return first == JsonToken.VALUE_NULL
                    ? refuse(line(), "is null", WRITE_NOTHING)
                    : document("goes on after the end of its document", "keep one document");
        } catch (StreamConstraintsException _) {
            // A value is nested even deeper than Jackson allows. This problem was already reported for the enclosing
            // value that first exceeded the maximum depth.
            return new YamlNode.Reported(problems.at(1));
        } catch (JsonProcessingException broken) {
            JsonLocation place = broken.getLocation() == null ? parser.currentLocation() : broken.getLocation();
            return refuse(
                    place.getLineNr(),
                    "is no JSON from column " + place.getColumnNr() + " on",
                    "check commas, quotes and brackets there and above; it may be cut short");
        }
    }

    private YamlNode refuse(int line, String fault, String fix) {
        problems.problem(line, KeyPath.ROOT, fault, fix);
        return new YamlNode.Reported(problems.at(line));
    }

    /**
     * Reads the document that begins at the current token. Reports a problem if a second document follows.
     *
     * @param secondDocument the text of that problem
     * @param fix the advice of that problem
     */
    private YamlNode document(String secondDocument, String fix) throws IOException {
        YamlNode root = node(KeyPath.ROOT, 0);
        if (parser.nextToken() != null) {
            problems.problem(line(), KeyPath.ROOT, secondDocument, fix);
        }
        return root;
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private SourcePosition position() {
        return problems.at(line());
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
            case START_OBJECT -> mapping(position(), path, depth);
            case START_ARRAY -> items(position(), path, depth);
            case VALUE_NULL -> new YamlNode.Null(position());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(Kind.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> scalar(Kind.BOOLEAN);
            default -> scalar(Kind.TEXT);
        };
    }

    /**
     * Skips a value and reports a problem with it. If the skipped part of a YAML document has a syntax error, only the
     * syntax error is reported.
     */
    private YamlNode skipped(KeyPath path, String fault, String fix) throws IOException {
        int line = line();
        if (parser instanceof YAMLParser) {
            parser.skipChildren();
        }
        problems.problem(line, path, fault, fix);
        parser.skipChildren();
        return new YamlNode.Reported(problems.at(line));
    }

    private YamlNode scalar(Kind kind) throws IOException {
        return new YamlNode.Scalar(position(), kind, parser.getText());
    }

    private YamlNode mapping(SourcePosition position, KeyPath path, int depth) throws IOException {
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
                entries.add(new Entry(problems.at(keyLine), key, node(keyPath, depth + 1)));
            }
        }
        return new YamlNode.Mapping(position, List.copyOf(entries));
    }

    private YamlNode items(SourcePosition position, KeyPath path, int depth) throws IOException {
        List<YamlNode> nodes = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            nodes.add(node(path.item(nodes.size()), depth + 1));
        }
        return new YamlNode.Items(position, List.copyOf(nodes));
    }
}
