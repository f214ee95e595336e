package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Reads the annotations of a ResourceClaim. It keeps only the annotation with which kube-scheduler marks the claims
 * that it creates for extended resources.
 */
final class FactClaimMarkReader extends FactChosenFieldsReader<String> {

    @Serial
    private static final long serialVersionUID = 1;

    private static final String MARK = "resource.kubernetes.io/extended-resource-claim";

    @Override
    @Nullable
    String kept(String field, JsonParser value) throws IOException {
        return field.equals(MARK) && value.currentToken().isScalarValue() ? value.getText() : null;
    }
}
