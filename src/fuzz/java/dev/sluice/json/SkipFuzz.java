package dev.sluice.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.sluice.fuzz.Frugal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The parser that skips stands where Jackson's stands, and refuses what it refuses; first byte says what is skipped.
 */
public final class SkipFuzz {

    /** A number may be longer than the skipper takes without doubt, as with the decoder of reviews. */
    private static final StreamReadConstraints LIMITS = StreamReadConstraints.builder()
            .maxNestingDepth(40)
            .maxNumberLength(110)
            .build();

    private static final JsonFactory SKIPPING = new SkippingParser.Factory(LIMITS);
    private static final JsonFactory PLAIN =
            new JsonFactoryBuilder().streamReadConstraints(LIMITS).build();

    private SkipFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        char[] text = new String(Arrays.copyOfRange(input, 1, input.length), StandardCharsets.UTF_8).toCharArray();
        Frugal.run(input.length, () -> {
            List<String> skipped = walked(SKIPPING, text, input[0]);
            List<String> plain = walked(PLAIN, text, input[0]);
            if (!skipped.equals(plain)) {
                throw new AssertionError("skipped: " + skipped + "; plain: " + plain);
            }
        });
    }

    /** Each token with its place, some values skipped; what is wrong ends it. */
    private static List<String> walked(JsonFactory factory, char[] text, byte choice) throws IOException {
        List<String> steps = new ArrayList<>();
        try (JsonParser parser = factory.createParser(text)) {
            int opened = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isStructStart()) {
                    opened++;
                    if ((choice >> (opened & 7) & 1) == 1) {
                        parser.skipChildren();
                    }
                }
                steps.add(parser.currentToken() + " " + parser.getText() + " "
                        + parser.currentLocation().getCharOffset() + " "
                        + parser.getParsingContext().pathAsPointer());
            }
        } catch (JsonProcessingException broken) {
            steps.add("broken");
        }
        return steps;
    }
}
