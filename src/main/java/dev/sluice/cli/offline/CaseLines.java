package dev.sluice.cli.offline;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.json.JsonOrYamlText;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The lines on which the values of a document begin. */
final class CaseLines {

    /**
     * The maximum depth of keys for which lines are recorded. Problems name no deeper key than
     * {@code cases[0].expect.resources.CONTAINER.RESOURCE}.
     */
    private static final int DEEPEST = 6;

    private final Map<JsonPointer, Integer> lines = new HashMap<>();

    private CaseLines() {}

    /** Reads the lines of a document, which another parser has already read without an error. */
    static CaseLines of(byte[] text) {
        CaseLines lines = new CaseLines();
        try (JsonParser parser =
                JsonOrYamlText.parser(new BufferedInputStream(new ByteArrayInputStream(text), JsonOrYamlText.BUFFER))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (!token.isStructEnd() && parser.getParsingContext().getNestingDepth() <= DEEPEST) {
                    lines.lines.putIfAbsent(
                            place(parser, token), parser.currentTokenLocation().getLineNr());
                }
            }
        } catch (IOException | ClusterStateException _) {
            // The document is valid, because another parser has already read it. Only the numbers of its lines remain
            // unknown.
        }
        return lines;
    }

    /**
     * Returns the path of the current value. At the beginning of an object or array, the parser has already entered it,
     * so the path comes from the parent context.
     */
    private static JsonPointer place(JsonParser parser, JsonToken token) {
        return token.isStructStart()
                ? parser.getParsingContext().getParent().pathAsPointer()
                : parser.getParsingContext().pathAsPointer();
    }

    /**
     * Returns the line of the value. If this line is unknown, returns the line of the innermost enclosing value with a
     * known line. Returns 0 if no line is known.
     */
    int lineOf(JsonPointer place) {
        for (JsonPointer at = place; at != null; at = at.head()) {
            Integer line = lines.get(at);
            if (line != null) {
                return line;
            }
        }
        return 0;
    }
}
