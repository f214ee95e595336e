package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.EnumNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.admission.injection.InjectionCoefficient;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosisCode;
import dev.sluice.doctor.FindingCode;
import dev.sluice.doctor.NodeBundleFinding.BundleCode;
import dev.sluice.record.BypassCause;
import dev.sluice.record.RecordedDecisionKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;

/**
 * Writes the records of this package as JSON. The fields of an object are the components of its record, in the same
 * order. Components that are null are left out.
 *
 * <p>The command {@code serve} must not use this class for reviews, probes or metrics. The class needs a few hundred
 * other classes. Loading them would take longer than the rest of the start.
 */
public final class ApiJson {

    private static final JsonMapper MAPPER = JsonMapper.builder(new JsonFactoryBuilder()
                    .characterEscapes(new ApiJsonCharacterEscapes())
                    .build())
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .addMixIn(ResourceName.class, AsText.class)
            .addMixIn(Quantity.class, Canonical.class)
            .addMixIn(InjectionCoefficient.class, AsText.class)
            .addMixIn(Instant.class, AsText.class)
            .addMixIn(RecordedDecisionKind.class, AsWord.class)
            .addMixIn(Reason.class, AsWord.class)
            .addMixIn(VerdictTrace.CandidateOutcome.class, AsWord.class)
            .addMixIn(BypassCause.class, AsWord.class)
            .addMixIn(DiagnosisCode.class, AsWord.class)
            .addMixIn(FindingCode.class, AsWord.class)
            .addMixIn(BundleCode.class, AsWord.class)
            .addMixIn(PodContainerKind.class, InCamelCase.class)
            .addMixIn(Policy.Mode.class, InCamelCase.class)
            .addMixIn(Policy.Enforcement.class, AsWord.class)
            .addMixIn(DecisionCause.Fallbacks.class, InCamelCase.class)
            .addMixIn(InstallationStatusDocument.CheckResult.class, InCamelCase.class)
            .addMixIn(InstallationStatusDocument.CheckSubject.class, InCamelCase.class)
            .addMixIn(ExplainDocument.ReservationsBasis.class, InCamelCase.class)
            .build();

    /**
     * Makes Jackson write a type as text. The annotation is not at the type itself, because the package of the type
     * does not depend on a JSON library.
     */
    private interface AsText {
        @Override
        @JsonValue
        String toString();
    }

    private interface Canonical {
        @JsonValue
        String canonical();
    }

    private interface AsWord {
        @JsonValue
        String word();
    }

    @EnumNaming(LowerCamelCaseStrategy.class)
    private interface InCamelCase {}

    private ApiJson() {}

    /**
     * Loads the classes that are needed to write JSON. Without this call, the first answer would block an event loop
     * for several hundred milliseconds.
     */
    public static void load() {
        List.of(
                        ProblemDocument.class,
                        DecisionDocument.class,
                        SummaryDocument.class,
                        CapacityDocument.class,
                        BypassedDocument.class)
                .forEach(MAPPER::writerFor);
    }

    /** Returns a document as JSON on one line. */
    public static String text(Object document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JacksonException impossible) {
            throw new IllegalStateException("a document could not be written", impossible);
        }
    }

    /** Returns a document as a JSON tree. */
    static JsonNode tree(Object document) {
        return MAPPER.valueToTree(document);
    }

    /** Returns the JSON tree of a document that another replica has written. */
    static JsonNode tree(byte[] document) throws IOException {
        return MAPPER.readTree(document);
    }

    /** Prints a document as JSON on several lines. */
    public static void print(Object document, PrintWriter out) {
        try {
            out.print(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document));
            out.println();
        } catch (JacksonException impossible) {
            throw new IllegalStateException("a document could not be written", impossible);
        }
    }
}
