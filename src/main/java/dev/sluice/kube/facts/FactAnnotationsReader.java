package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.Serial;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the annotations of an object. It keeps only the annotation with which kube-scheduler marks the claims that it
 * creates for extended resources, and the annotations with which a pod asks the scheduler KAI for a share of a GPU.
 */
final class FactAnnotationsReader extends FactChosenFieldsReader<String> {

    @Serial
    private static final long serialVersionUID = 1;

    private static final String MARK = "resource.kubernetes.io/extended-resource-claim";

    /**
     * The annotations with which a pod asks for a share of a GPU: a fraction of the GPU, or an amount of its memory in
     * MiB (KAI, pkg/common/constants).
     */
    private static final Set<String> SHARES = Set.of("gpu-fraction", "gpu-memory");

    /** The maximum length of a value that is kept. Users can write longer values, but valid ones are shorter. */
    private static final int LONGEST = 32;

    /**
     * Returns the share of a GPU that the annotations ask for, such as {@code gpu-fraction: 0.5}. Returns an empty text
     * if they ask for no share.
     */
    static String share(Map<String, String> annotations) {
        return annotations.entrySet().stream()
                .filter(it -> SHARES.contains(it.getKey()) && !it.getValue().isEmpty())
                .map(it -> it.getKey() + ": " + it.getValue())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    @Override
    @Nullable
    String kept(String field, JsonParser value) throws IOException {
        boolean wanted = (field.equals(MARK) || SHARES.contains(field))
                && value.currentToken().isScalarValue()
                && value.getText().length() <= LONGEST;
        return wanted ? value.getText() : null;
    }
}
