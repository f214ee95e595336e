package dev.sluice.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import org.yaml.snakeyaml.LoaderOptions;

/** How streams of Kubernetes objects are read: as they come, in constant memory. */
public final class Parsers {

    /** Of the texts that are kept (names, labels, taints, continue tokens, messages) none comes near this. */
    private static final int LONGEST_TEXT = 64 * 1024;

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

    public static JsonParser json(InputStream stream) throws IOException {
        return JSON.createParser(stream);
    }

    public static JsonParser yaml(InputStream stream) throws IOException {
        return YAML.createParser(stream);
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
