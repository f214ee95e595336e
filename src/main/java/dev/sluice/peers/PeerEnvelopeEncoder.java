package dev.sluice.peers;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.replication.Member;
import dev.sluice.replication.ReplicaMessage;
import dev.sluice.replication.ReplicatedDecision;
import dev.sluice.replication.ReplicatedEntry;
import dev.sluice.replication.ReplicationEnvelope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Writes a message between replicas. A field is left out if its value is the one that the decoder uses for a missing
 * field.
 */
final class PeerEnvelopeEncoder {

    private final JsonGenerator out;

    private PeerEnvelopeEncoder(JsonGenerator out) {
        this.out = out;
    }

    static byte[] encode(ReplicationEnvelope<ReplicatedDecision> envelope, JsonFactory json) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator out = json.createGenerator(bytes)) {
            new PeerEnvelopeEncoder(out).envelope(envelope);
        } catch (IOException impossible) {
            throw new UncheckedIOException("a message could not be written to memory", impossible);
        }
        return bytes.toByteArray();
    }

    /** Writes the envelope. The version is the first field, because the meaning of the other fields depends on it. */
    private void envelope(ReplicationEnvelope<ReplicatedDecision> envelope) throws IOException {
        out.writeStartObject();
        out.writeNumberField("version", envelope.version());
        out.writeNumberField("speaks", envelope.speaks());
        out.writeStringField("cluster", envelope.cluster());
        member(envelope.from());
        switch (envelope.message()) {
            case ReplicaMessage.EntryBatch<ReplicatedDecision> batch -> batch(batch);
            case ReplicaMessage.Acknowledgement<ReplicatedDecision> ack -> acknowledgement(ack);
            case ReplicaMessage.TermRefusal<ReplicatedDecision>(long term) -> ofTerm(PeerMessageKind.REFUSAL, term);
            case ReplicaMessage.JoinRequest<ReplicatedDecision> _ -> kind(PeerMessageKind.JOIN);
            case ReplicaMessage.HandoverNotice<ReplicatedDecision>(long term) -> ofTerm(PeerMessageKind.HANDOVER, term);
        }
        out.writeEndObject();
    }

    private void member(Member from) throws IOException {
        out.writeObjectFieldStart("from");
        out.writeStringField("identity", from.identity());
        out.writeStringField("address", from.address());
        out.writeEndObject();
    }

    private void kind(PeerMessageKind kind) throws IOException {
        out.writeStringField("kind", kind.word());
    }

    private void ofTerm(PeerMessageKind kind, long term) throws IOException {
        kind(kind);
        out.writeNumberField("term", term);
    }

    private void batch(ReplicaMessage.EntryBatch<ReplicatedDecision> batch) throws IOException {
        ofTerm(PeerMessageKind.ENTRIES, batch.term());
        out.writeNumberField("after", batch.after());
        out.writeNumberField("upTo", batch.upTo());
        out.writeBooleanField("inSync", batch.inSync());
        out.writeArrayFieldStart("entries");
        for (ReplicatedEntry<ReplicatedDecision> entry : batch.entries()) {
            entry(entry);
        }
        out.writeEndArray();
    }

    private void acknowledgement(ReplicaMessage.Acknowledgement<ReplicatedDecision> ack) throws IOException {
        ofTerm(PeerMessageKind.ACKNOWLEDGEMENT, ack.term());
        out.writeNumberField("upTo", ack.upTo());
        out.writeNumberField("settled", ack.settled());
        out.writeBooleanField("inSync", ack.inSync());
        out.writeBooleanField("current", ack.current());
    }

    private void entry(ReplicatedEntry<ReplicatedDecision> entry) throws IOException {
        ReplicatedDecision decision = entry.change();
        out.writeStartObject();
        out.writeNumberField("term", entry.term());
        out.writeStringField("stamp", entry.stamp());
        out.writeStringField("uid", entry.uid());
        out.writeStringField("podName", decision.podName());
        out.writeNumberField("pod", decision.pod());
        out.writeStringField("outcome", decision.outcome().word());
        out.writeStringField("reason", decision.reason().word());
        if (!decision.preempted().isEmpty()) {
            texts("preempted", decision.preempted());
        }
        out.writeObjectFieldStart("placement");
        placement(decision.placement());
        out.writeEndObject();
        out.writeEndObject();
    }

    private void placement(PlacementRequest placement) throws IOException {
        out.writeStringField("stamp", placement.stamp());
        out.writeStringField("namespace", placement.namespace());
        amounts(placement.need());
        if (!placement.constraints().equals(NodeConstraints.NONE)) {
            constraints(placement.constraints());
        }
        out.writeBooleanField("promised", placement.promised());
        if (!placement.origin().equals(PlacementOrigin.UNKNOWN)) {
            origin(placement.origin());
        }
        if (!placement.priority().equals(PodPriority.NORMAL)) {
            out.writeObjectFieldStart("priority");
            out.writeNumberField("value", placement.priority().value());
            out.writeBooleanField("preempts", placement.priority().preempts());
            out.writeEndObject();
        }
    }

    /**
     * Writes the names and the amounts as two lists. The names are not used as JSON keys, because the authors of pods
     * can choose any text as a name.
     */
    private void amounts(Amounts need) throws IOException {
        List<String> names = new ArrayList<>(need.size());
        List<Long> values = new ArrayList<>(need.size());
        need.forEach((ResourceName name, long value) -> {
            names.add(name.value());
            values.add(value);
        });
        texts("resources", names);
        out.writeArrayFieldStart("amounts");
        for (Long value : values) {
            out.writeNumber(value);
        }
        out.writeEndArray();
    }

    private void origin(PlacementOrigin origin) throws IOException {
        out.writeObjectFieldStart("origin");
        out.writeStringField("name", origin.name());
        PodId owner = origin.owner();
        if (owner != null) {
            out.writeStringField("owner", new UUID(owner.high(), owner.low()).toString());
        }
        out.writeStringField(
                "style", origin.isInBatches() ? PeerPlacementDecoder.IN_BATCHES : PeerPlacementDecoder.ANY);
        out.writeEndObject();
    }

    private void constraints(NodeConstraints constraints) throws IOException {
        out.writeObjectFieldStart("constraints");
        if (constraints.nodeName() != null) {
            out.writeStringField("nodeName", constraints.nodeName());
        }
        if (constraints.whyNotEvaluated().isPresent()) {
            out.writeStringField("notEvaluated", constraints.whyNotEvaluated().get());
            out.writeEndObject();
            return;
        }
        if (!constraints.nodeSelector().isEmpty()) {
            selector(constraints.nodeSelector());
        }
        if (constraints.requiredTerms().isPresent()) {
            out.writeArrayFieldStart("requiredTerms");
            for (NodeSelectorTerm term : constraints.requiredTerms().get()) {
                out.writeStartObject();
                requirements("matchExpressions", term.matchExpressions());
                requirements("matchFields", term.matchFields());
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        if (!constraints.tolerations().isEmpty()) {
            tolerations(constraints.tolerations());
        }
        out.writeEndObject();
    }

    /**
     * Writes a map as a list in which keys and values alternate. The keys are not used as JSON keys, because users can
     * choose any text as a key.
     */
    private void selector(Map<String, String> labels) throws IOException {
        out.writeArrayFieldStart("nodeSelector");
        for (Map.Entry<String, String> label : labels.entrySet()) {
            out.writeString(label.getKey());
            out.writeString(label.getValue());
        }
        out.writeEndArray();
    }

    private void requirements(String field, List<NodeRequirement> requirements) throws IOException {
        if (requirements.isEmpty()) {
            return;
        }
        out.writeArrayFieldStart(field);
        for (NodeRequirement requirement : requirements) {
            out.writeStartObject();
            out.writeStringField("key", requirement.key());
            out.writeStringField("operator", requirement.operator().name());
            texts("values", requirement.values());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void tolerations(List<Toleration> tolerations) throws IOException {
        out.writeArrayFieldStart("tolerations");
        for (Toleration toleration : tolerations) {
            out.writeStartObject();
            out.writeStringField("key", toleration.key());
            out.writeStringField("operator", toleration.operator().name());
            out.writeStringField("value", toleration.value());
            out.writeStringField("effect", toleration.effect());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void texts(String field, List<String> texts) throws IOException {
        out.writeArrayFieldStart(field);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }
}
