package dev.sluice.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.admission.request.Move;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.JudgedCandidate;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.DecisionBasis;
import dev.sluice.record.DecisionKind;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.KeptDecision;
import dev.sluice.record.RecordedContainer;
import dev.sluice.record.RecordedInjection;
import dev.sluice.record.ReviewHead;
import dev.sluice.record.ReviewHead.PodOwner;
import dev.sluice.record.UserMessages;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Encodes decisions as {@code /api/v1/decisions} shows them; {@code src/docs/decisions-json.md} documents each member.
 * Members may be added; none is removed.
 *
 * @param epoch tells the decisions of this process from those of others
 */
record DecisionEncoder(String epoch) {

    private static final long NANOS_PER_MICRO = 1_000;
    private static final double MILLIS_PER_SECOND = 1_000;

    /**
     * Three times as much as a thousand ordinary decisions have; decisions about hostile pods have a hundred times as
     * much.
     */
    private static final int MOST_LETTERS = 4 * 1_024 * 1_024;

    /**
     * The decisions, in the order of the list, and how many there were since the start. Those at the end are left out
     * where the answer would become too long for the heap.
     */
    ApiAnswer list(List<KeptDecision> decisions, long total) {
        return ApiAnswer.of(JsonText.of(json -> {
            json.writeStartObject();
            json.writeNumberField("total", total);
            json.writeArrayFieldStart("decisions");
            int letters = 0;
            int shown = 0;
            for (KeptDecision decision : decisions) {
                String own = text(decision);
                letters += own.length();
                if (letters > MOST_LETTERS) {
                    break;
                }
                json.writeRawValue(own);
                shown++;
            }
            json.writeEndArray();
            json.writeNumberField("leftOut", decisions.size() - shown);
            json.writeEndObject();
        }));
    }

    ApiAnswer one(KeptDecision decision) {
        return ApiAnswer.of(text(decision));
    }

    /** One decision, on one line. */
    public String text(KeptDecision decision) {
        return JsonText.of(json -> write(json, decision));
    }

    private void write(JsonGenerator json, KeptDecision kept) throws IOException {
        DecisionRecord decision = kept.decision();
        ReviewHead head = decision.pod().head();
        json.writeStartObject();
        json.writeStringField("id", epoch + "-" + kept.number());
        json.writeStringField(
                "time", Instant.ofEpochMilli(decision.epochMillis()).toString());
        json.writeStringField("uid", head.uid());
        json.writeStringField("namespace", head.namespace());
        json.writeStringField("name", head.podName());
        owner(json, head.owner());
        json.writeBooleanField("dryRun", head.dryRun());
        json.writeStringField("decision", decision.kind().word());
        json.writeStringField("reason", decision.reason().word());
        changes(json, decision.moves());
        containers(json, decision);
        candidates(json, decision.candidates());
        causes(json, decision.causes());
        told(json, decision.told());
        injection(json, decision.injection());
        if (!decision.stamp().isEmpty()) {
            json.writeStringField("stamp", decision.stamp());
        }
        basis(json, decision);
        json.writeNumberField("micros", decision.nanos() / NANOS_PER_MICRO);
        json.writeEndObject();
    }

    private static void owner(JsonGenerator json, PodOwner owner) throws IOException {
        if (!owner.equals(PodOwner.NONE)) {
            json.writeObjectFieldStart("owner");
            json.writeStringField("kind", owner.kind());
            json.writeStringField("name", owner.name());
            json.writeEndObject();
        }
    }

    private static void changes(JsonGenerator json, List<Move> moves) throws IOException {
        json.writeArrayFieldStart("changes");
        for (Move move : moves) {
            json.writeStartObject();
            json.writeStringField("from", move.asked().value());
            json.writeStringField("to", move.given().value());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void containers(JsonGenerator json, DecisionRecord decision) throws IOException {
        json.writeArrayFieldStart("containers");
        for (RecordedContainer container : decision.pod().containers()) {
            json.writeStartObject();
            json.writeStringField("name", container.name());
            json.writeStringField("kind", container.kind().name().toLowerCase(Locale.ROOT));
            amounts(json, "asked", new TreeMap<>(container.asked()));
            if (decision.kind() != DecisionKind.DENIED) {
                amounts(json, "given", given(container, decision.moves()));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("moreContainers", decision.pod().more());
    }

    /** Where the container has the target already, the quantities are added. */
    private static Map<ResourceName, Quantity> given(RecordedContainer container, List<Move> moves) {
        Map<ResourceName, Quantity> given = new TreeMap<>();
        container.asked().forEach((name, amount) -> {
            var _ = given.merge(Move.given(moves).apply(name), amount, Quantity::plus);
        });
        return given;
    }

    private static void amounts(JsonGenerator json, String field, Map<ResourceName, Quantity> amounts)
            throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<ResourceName, Quantity> amount : amounts.entrySet()) {
            json.writeStringField(amount.getKey().value(), amount.getValue().toString());
        }
        json.writeEndObject();
    }

    private static void candidates(JsonGenerator json, List<JudgedCandidate> candidates) throws IOException {
        json.writeArrayFieldStart("candidates");
        for (JudgedCandidate judged : candidates) {
            json.writeStartObject();
            json.writeStringField("asked", judged.asked().value());
            json.writeStringField("resource", judged.candidate().value());
            json.writeStringField("fate", judged.fate().word());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void causes(JsonGenerator json, List<DecisionCause> causes) throws IOException {
        json.writeArrayFieldStart("causes");
        for (DecisionCause cause : causes) {
            new CauseEncoder(json).write(cause);
        }
        json.writeEndArray();
    }

    private static void told(JsonGenerator json, UserMessages told) throws IOException {
        json.writeArrayFieldStart("warnings");
        for (String warning : told.warnings()) {
            json.writeString(warning);
        }
        json.writeEndArray();
        json.writeNumberField("moreWarnings", told.untold());
        if (!told.message().isEmpty()) {
            json.writeStringField("message", told.message());
        }
    }

    private static void injection(JsonGenerator json, RecordedInjection injection) throws IOException {
        if (!injection.equals(RecordedInjection.NONE)) {
            json.writeObjectFieldStart("injection");
            json.writeStringField("gpuType", injection.gpuType());
            if (injection.rule().isPresent()) {
                json.writeStringField("rule", injection.rule().get().key());
            }
            json.writeEndObject();
        }
    }

    private static void basis(JsonGenerator json, DecisionRecord decision) throws IOException {
        DecisionBasis basis = decision.basis();
        json.writeStringField("mode", basis.mode() == Policy.Mode.AVAILABILITY ? "availability" : "allocatable");
        json.writeNumberField("policyGeneration", basis.policyGeneration());
        json.writeNumberField("snapshotGeneration", basis.snapshotGeneration());
        if (!basis.provedAsOf().equals(Instant.MIN)) {
            long age = decision.epochMillis() - basis.provedAsOf().toEpochMilli();
            json.writeNumberField("snapshotAgeSeconds", Math.max(0, age) / MILLIS_PER_SECOND);
        }
    }
}
