package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import java.io.Serial;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads from {@code managedFields} the labels that a field manager owns. It keeps only the labels that the MIG manager
 * of NVIDIA writes when the MIG configuration of a node changes.
 */
final class FactMigLabelReader extends FactChosenFieldsReader<Map<String, String>> {

    @Serial
    private static final long serialVersionUID = 1;

    private static final String STATE = "f:nvidia.com/mig.config.state";
    private static final String DEPLOY = "f:nvidia.com/gpu.deploy.";

    @Override
    @Nullable
    Map<String, String> kept(String field, JsonParser value) {
        return field.equals(STATE) || field.startsWith(DEPLOY) ? Map.of() : null;
    }
}
