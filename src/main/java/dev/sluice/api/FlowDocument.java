package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.RecordedDecisionKind;
import java.time.Instant;
import java.util.List;

/**
 * The answer of {@code /api/v1/flow}. It states how many of the recent decisions replaced one resource by another, and
 * how many decisions had each result. The file {@code src/docs/decisions-json.md} documents each field. New fields may
 * be added, but no field is removed.
 */
record FlowDocument(
        @JsonPropertyDescription("All decisions since this time are counted.")
        Instant since,

        @JsonPropertyDescription("Whether it is later than the query asks for, because older decisions are not kept.")
        boolean truncated,

        @JsonPropertyDescription("The replicas that did not answer.")
        List<String> missing,

        long decisions,
        List<FlowExchange> exchanges,
        List<FlowOutcome> outcomes) {

    /** The number of pods that asked for one resource and were given another one. */
    record FlowExchange(
            ResourceName from,
            ResourceName to,
            long count,

            @JsonPropertyDescription("The review of the newest of these decisions.")
            String lastUid) {}

    /** The number of decisions with the same result. */
    record FlowOutcome(
            RecordedDecisionKind decision,
            Reason reason,
            Policy.Enforcement enforcement,
            long count,

            @JsonPropertyDescription("The review of the newest of these decisions.")
            String lastUid) {}
}
