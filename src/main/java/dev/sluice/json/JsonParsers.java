package dev.sluice.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Creates parsers for streams of Kubernetes objects. The parsers need a constant amount of memory, and accept
 * everything that the API server stores. If they rejected a pod, its author could break the list and the watch of all
 * pods.
 */
public final class JsonParsers {

    /**
     * The maximum number of digits of a number. The longest numbers in a pod are 64-bit integers with 19 digits, so no
     * valid pod exceeds the limit.
     */
    public static final int MOST_DIGITS = 1000;

    /**
     * The maximum nesting depth. A pod nests about 12 levels deep, but its {@code managedFields} may nest thousands of
     * levels deep. Go's JSON decoder rejects objects with more than 10,000 levels, so the API server stores none. A
     * list, an event or a review around the object adds a few levels.
     */
    public static final int DEEPEST = 10_100;

    /**
     * Creates the parsers. Jackson's table of field names is off, because {@code managedFields} has countless keys that
     * occur only once. Jackson's limits for the length of names and strings are off, because {@link ShortenedJson}
     * shortens long ones instead of rejecting them.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(withoutLimitOfLength())
            .build();

    private static final YAMLFactory YAML = yamlFactory();

    private JsonParsers() {}

    /**
     * Returns a parser for UTF-8. Invalid bytes become replacement characters, so that invalid UTF-8 in one annotation
     * does not make the whole watch fail.
     */
    public static JsonParser json(InputStream stream) throws IOException {
        return json(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    public static JsonParser json(Reader text) throws IOException {
        return JSON.createParser(new ShortenedJson(text));
    }

    public static JsonParser yaml(Reader text) throws IOException {
        return YAML.createParser(text);
    }

    /**
     * Returns constraints that allow names and strings of any length. They are for texts whose size is limited in
     * another way.
     */
    public static StreamReadConstraints withoutLimitOfLength() {
        return StreamReadConstraints.builder()
                .maxNestingDepth(DEEPEST)
                .maxNumberLength(MOST_DIGITS)
                .maxNameLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .build();
    }

    /**
     * Creates the factory for YAML. SnakeYAML's default limit of 3 MiB is removed. It would save no memory, because
     * documents are read as a stream.
     */
    private static YAMLFactory yamlFactory() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(withoutLimitOfLength())
                .build();
    }
}
