package dev.sluice.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import org.yaml.snakeyaml.LoaderOptions;

/** How streams of Kubernetes objects are read: as they come, in constant memory. */
public final class Parsers {

    /**
     * Of the texts that are kept the longest may be an annotation: the API server allows 256 KiB of them, and whoever
     * writes a pod must not be able to end the watch of all pods by a longer one.
     */
    private static final int LONGEST_TEXT = 512 * 1024;

    /** {@code managedFields} is full of unique keys, which would fill the symbol table for nothing. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(LONGEST_TEXT)
                    .build())
            .build();

    private static final YAMLFactory YAML = yamlFactory();

    private Parsers() {}

    /** Bytes that are no UTF-8 become replacement characters: one bad annotation must not end a watch. */
    public static JsonParser json(InputStream stream) throws IOException {
        return JSON.createParser(stream);
    }

    public static JsonParser json(Reader text) throws IOException {
        return JSON.createParser(text);
    }

    public static JsonParser yaml(Reader text) throws IOException {
        return YAML.createParser(text);
    }

    /** Nothing is kept of what is read, so the 3 MiB that a document may have by default would protect nothing. */
    private static YAMLFactory yamlFactory() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }
}
