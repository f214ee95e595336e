package dev.sluice.fuzz;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The other reading: plain trees by Jackson's own means, with which the streaming decoders are compared. */
public final class Trees {

    /** The last of two equal keys counts. */
    public static final ObjectMapper JSON = mapper().build();

    /** Two equal keys are refused. */
    private static final ObjectMapper STRICT =
            mapper().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private Trees() {}

    /** The limits of the decoder for reviews. */
    private static JsonMapper.Builder mapper() {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(256)
                                .maxNumberLength(1000)
                                .maxNameLength(Integer.MAX_VALUE)
                                .maxStringLength(Integer.MAX_VALUE)
                                .build())
                        .build())
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /** The one document in {@code bytes}; empty where they are not just that, in UTF-8. */
    public static Optional<JsonNode> read(byte[] bytes) {
        return text(bytes).flatMap(text -> parsed(JSON, text));
    }

    /** Likewise; empty too where an object has a key twice. */
    public static Optional<JsonNode> readStrictly(byte[] bytes) {
        return text(bytes).flatMap(text -> parsed(STRICT, text));
    }

    private static Optional<JsonNode> parsed(ObjectMapper mapper, String text) {
        try {
            JsonNode tree = mapper.readTree(text);
            return tree.isMissingNode() ? Optional.empty() : Optional.of(tree);
        } catch (JsonProcessingException broken) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException broken) {
            return Optional.empty();
        }
    }
}
