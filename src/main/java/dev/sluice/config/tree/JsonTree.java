package dev.sluice.config.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.sluice.config.tree.YamlNode.Entry;
import dev.sluice.config.tree.YamlNode.Scalar.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON document into nodes that know their lines, with numbers as they were written. A key that stands twice
 * is a finding; only broken syntax ends the reading.
 */
public final class JsonTree {

    /** What a ConfigMap can hold, from which the file usually comes. */
    public static final int MOST_BYTES = 1 << 20;

    /** Long names and numbers are for their readers to refuse, in their own words; the file itself has a limit. */
    static final StreamReadConstraints LENGTHS = StreamReadConstraints.builder()
            .maxNameLength(MOST_BYTES)
            .maxNumberLength(MOST_BYTES)
            .build();

    private static final JsonFactory FACTORY =
            JsonFactory.builder().streamReadConstraints(LENGTHS).build();

    /** The deepest legal value, in a resource of a namespace's rule, is at 7. */
    private static final int DEEPEST = 16;

    private final JsonParser parser;
    private final ProblemCollector findings;

    private JsonTree(JsonParser parser, ProblemCollector findings) {
        this.parser = parser;
        this.findings = findings;
    }

    public static YamlNode read(String text, ProblemCollector findings) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return new JsonTree(parser, findings).document();
        } catch (IOException impossible) {
            throw new IllegalStateException("reading text from memory failed", impossible);
        }
    }

    private YamlNode document() throws IOException {
        try {
            if (parser.nextToken() == null) {
                findings.problem(1, KeyPath.ROOT, "is empty", "write {} where nothing is to be injected");
                return new YamlNode.Reported(1);
            }
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                findings.problem(line(), KeyPath.ROOT, "is null", "write {} where nothing is to be injected");
                return new YamlNode.Reported(line());
            }
            YamlNode root = node(KeyPath.ROOT, 0);
            if (parser.nextToken() != null) {
                findings.problem(line(), KeyPath.ROOT, "goes on after the end of its document", "keep one document");
            }
            return root;
        } catch (StreamConstraintsException _) {
            // Nothing but depth is limited, and what is too deep was reported where it began to be.
            return new YamlNode.Reported(1);
        } catch (JsonProcessingException broken) {
            return broken(broken);
        }
    }

    private YamlNode broken(JsonProcessingException broken) {
        JsonLocation place = broken.getLocation() == null ? parser.currentLocation() : broken.getLocation();
        findings.problem(
                place.getLineNr(),
                KeyPath.ROOT,
                "is no JSON from column " + place.getColumnNr() + " on",
                "check commas, quotes and brackets there and above; it may be cut short");
        return new YamlNode.Reported(1);
    }

    private YamlNode node(KeyPath path, int depth) throws IOException {
        int line = line();
        if (depth > DEEPEST) {
            findings.problem(line, path, "is nested too deeply", "expected at most " + DEEPEST + " levels");
            parser.skipChildren();
            return new YamlNode.Reported(line);
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

    private YamlNode scalar(int line, Kind kind) throws IOException {
        return new YamlNode.Scalar(line, kind, parser.getText());
    }

    private YamlNode mapping(int line, KeyPath path, int depth) throws IOException {
        Map<String, Integer> firstLines = new HashMap<>();
        List<Entry> entries = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            int keyLine = line();
            Integer firstLine = firstLines.putIfAbsent(key, keyLine);
            parser.nextToken();
            if (firstLine != null) {
                findings.problem(keyLine, path.key(key), "is written twice, first in line " + firstLine, "keep one");
                parser.skipChildren();
            } else {
                entries.add(new Entry(keyLine, key, node(path.key(key), depth + 1)));
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
}
