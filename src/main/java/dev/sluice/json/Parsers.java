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
 * Parsers of streams of Kubernetes objects, in constant memory. They accept everything that the API server stores,
 * because whoever writes a pod could otherwise end the list and the watch of all pods.
 */
public final class Parsers {

    /** The numbers of a pod are 64-bit integers. */
    public static final int MOST_DIGITS = 1000;

    /**
     * A pod nests about 12 levels deep, but anybody may write {@code managedFields} of thousands. Go's JSON decoder
     * refuses objects that nest more than 10,000 levels deep, so the API server stores none. A list, an event or a
     * review around the object adds a few.
     */
    public static final int DEEPEST = 10_100;

    /**
     * {@code managedFields} is full of unique keys, which would fill the symbol table for nothing.
     * {@link ShortenedJson} bounds the length of names and strings without refusing longer ones.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(withoutLimitOfLength())
            .build();

    private static final YAMLFactory YAML = yamlFactory();

    private Parsers() {}

    /** Invalid UTF-8 becomes replacement characters, so that one annotation cannot end a watch. */
    public static JsonParser json(InputStream stream) throws IOException {
        return json(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    public static JsonParser json(Reader text) throws IOException {
        return JSON.createParser(new ShortenedJson(text));
    }

    public static JsonParser yaml(Reader text) throws IOException {
        return YAML.createParser(text);
    }

    /** For texts whose names and strings are bounded otherwise. */
    public static StreamReadConstraints withoutLimitOfLength() {
        return StreamReadConstraints.builder()
                .maxNestingDepth(DEEPEST)
                .maxNumberLength(MOST_DIGITS)
                .maxNameLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .build();
    }

    /** Documents are streamed, so the default limit of 3 MiB would protect nothing. */
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
