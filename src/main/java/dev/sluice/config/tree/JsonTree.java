package dev.sluice.config.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;

/** Reads one JSON document into nodes that know their lines, with numbers as they were written. */
public final class JsonTree {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().streamReadConstraints(DocumentTree.LENGTHS).build();

    private static final String WRITE_NOTHING = "write {} where nothing is to be injected";

    private final JsonParser parser;
    private final ProblemCollector problems;

    private JsonTree(JsonParser parser, ProblemCollector problems) {
        this.parser = parser;
        this.problems = problems;
    }

    public static YamlNode read(String text, ProblemCollector problems) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return new JsonTree(parser, problems).document();
        } catch (IOException impossible) {
            throw new IllegalStateException("reading text from memory failed", impossible);
        }
    }

    private YamlNode document() throws IOException {
        DocumentTree tree = new DocumentTree(parser, problems);
        try {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return refuse(1, "is empty", WRITE_NOTHING);
            }
            if (first == JsonToken.VALUE_NULL) {
                return refuse(tree.line(), "is null", WRITE_NOTHING);
            }
            YamlNode root = tree.root();
            if (parser.nextToken() != null) {
                problems.problem(
                        tree.line(), KeyPath.ROOT, "goes on after the end of its document", "keep one document");
            }
            return root;
        } catch (StreamConstraintsException _) {
            // Only depth is limited, and the value that is too deep was reported where it begins.
            return new YamlNode.Reported(1);
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
        return new YamlNode.Reported(line);
    }
}
