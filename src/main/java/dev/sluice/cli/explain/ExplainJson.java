package dev.sluice.cli.explain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.sluice.capacity.CapacityEncoder;
import dev.sluice.cli.manifest.Manifest;
import dev.sluice.explain.Explanation;
import dev.sluice.explain.Explanation.AlikeNodes;
import dev.sluice.explain.Explanation.HeldAmount;
import dev.sluice.explain.Explanation.Lack;
import dev.sluice.explain.Explanation.NodeAnswer;
import dev.sluice.explain.Explanation.Shortage;
import dev.sluice.explain.Occupancy;
import dev.sluice.patch.PatchOperation;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.Move;
import dev.sluice.review.PatchEncoder;
import dev.sluice.verdict.Trace.AskedResource;
import dev.sluice.verdict.Trace.Candidate;
import dev.sluice.verdict.Verdict;
import dev.sluice.wording.Wording;
import dev.sluice.wording.Words;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Writes explanations for machines. {@code src/docs/explain-json.md} documents each member. Members may be added, but
 * none is taken away.
 *
 * <pre>{@code
 * {"pods": [{
 *    "source": "pod.yaml", "kind": "Pod", "name": "train-7", "namespace": "team-a", "copies": 1,
 *    "decision": "changed", "reason": "NotOffered",
 *    "annotation": "2g.20gb->gpu",
 *    "warnings": ["container train: no node offers …"],
 *    "patch": [{"op": "remove", "path": "…"}],
 *    "asked": [{
 *       "resource": "nvidia.com/mig-2g.20gb", "containers": ["train"],
 *       "candidates": [{
 *          "resource": "nvidia.com/mig-2g.20gb", "need": 1, "fate": "notOffered",
 *          "nodes": [{"answer": "none", "allocatable": 0, "count": 2, "names": ["gpu-1", "gpu-2"]}]}]}],
 *    "injection": {"type": "V100", "resource": "nvidia.com/gpu", "gpus": 2, …},
 *    "injectionRefused": {"why": "tooLarge", …},
 *    "notInjected": {"why": "unknownType", …},
 *    "inVain": []}]}
 * }</pre>
 */
final class ExplainJson {

    private static final JsonFactory JSON =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private ExplainJson() {}

    static void print(List<Explained> all, PrintWriter out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeArrayFieldStart("pods");
            for (Explained explained : all) {
                json.writeStartObject();
                header(explained, json);
                switch (explained) {
                    case Explained.Passed _ -> verdict(new Verdict.NoGpu(), "passed", json);
                    case Explained.Decided decided -> decided(decided.explanation(), json);
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        out.println();
    }

    /** Prints the patch alone, on one line. */
    static void printPatch(Explained explained, PrintWriter out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            PatchEncoder.write(patch(explained), json);
        }
        out.println();
    }

    private static List<PatchOperation> patch(Explained explained) {
        return explained instanceof Explained.Decided decided
                        && decided.explanation().verdict() instanceof Verdict.Allowed allowed
                ? allowed.patch()
                : List.of();
    }

    private static void header(Explained explained, JsonGenerator json) throws IOException {
        json.writeStringField("source", explained.manifest().source());
        switch (explained.manifest()) {
            case Manifest.ManifestPods pods -> {
                json.writeStringField("kind", pods.kind());
                json.writeStringField("name", pods.name());
                json.writeNumberField("copies", pods.copies());
            }
            case Manifest.Review review -> {
                json.writeStringField("kind", "AdmissionReview");
                json.writeStringField("name", review.review().podName());
                json.writeNumberField("copies", 1);
            }
            case Manifest.Other other -> json.writeStringField("kind", other.title());
        }
        json.writeStringField("namespace", explained.namespace());
    }

    private static void decided(Explanation explanation, JsonGenerator json) throws IOException {
        verdict(explanation.verdict(), "noGpu", json);
        json.writeStringField("mode", explanation.trace().mode().name().toLowerCase(Locale.ROOT));
        json.writeArrayFieldStart("asked");
        for (AskedResource asked : explanation.trace().asked()) {
            asked(asked, explanation, json);
        }
        json.writeEndArray();
        InjectionJson.write(explanation, json);
        json.writeArrayFieldStart("inVain");
        for (List<Move> combination : explanation.trace().inVain()) {
            json.writeStartObject();
            for (AskedResource asked : explanation.trace().asked()) {
                json.writeStringField(
                        asked.resource().value(),
                        Move.given(combination).apply(asked.resource()).value());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void verdict(Verdict verdict, String otherwise, JsonGenerator json) throws IOException {
        Words words = Wording.of(verdict);
        switch (verdict) {
            case Verdict.NoGpu _ -> {
                json.writeStringField("decision", otherwise);
                effects(List.of(), List.of(), json);
            }
            case Verdict.Denied denied -> {
                json.writeStringField("decision", "denied");
                json.writeStringField("reason", denied.reason().word());
                json.writeStringField("message", words.message());
                effects(words.warnings(), List.of(), json);
            }
            case Verdict.Allowed allowed -> {
                json.writeStringField("decision", allowed.outcome().word());
                json.writeStringField("reason", allowed.reason().word());
                if (!allowed.moves().isEmpty()) {
                    json.writeStringField("annotation", Move.annotation(allowed.moves()));
                }
                effects(words.warnings(), allowed.patch(), json);
            }
        }
    }

    private static void effects(List<String> warnings, List<PatchOperation> patch, JsonGenerator json)
            throws IOException {
        strings("warnings", warnings, json);
        json.writeFieldName("patch");
        PatchEncoder.write(patch, json);
    }

    private static void asked(AskedResource asked, Explanation explanation, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("resource", asked.resource().value());
        strings("containers", asked.containers(), json);
        json.writeArrayFieldStart("candidates");
        for (Candidate candidate : asked.candidates()) {
            json.writeStartObject();
            json.writeStringField("resource", candidate.resource().value());
            json.writeNumberField("need", candidate.need());
            json.writeStringField("fate", candidate.fate().word());
            json.writeArrayFieldStart("nodes");
            for (AlikeNodes nodes : explanation.nodes(candidate)) {
                nodes(candidate.resource(), nodes, json);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void nodes(ResourceName candidate, AlikeNodes nodes, JsonGenerator json) throws IOException {
        json.writeStartObject();
        switch (nodes.answer()) {
            case NodeAnswer.Fits _ -> json.writeStringField("answer", "fits");
            case NodeAnswer.InUse inUse -> {
                json.writeStringField("answer", "inUse");
                inUse(candidate, inUse, json);
            }
            case NodeAnswer.TooSmall small -> {
                json.writeStringField("answer", "tooSmall");
                tooSmall(small, json);
            }
            case NodeAnswer.TooFew _ -> json.writeStringField("answer", "tooFew");
            case NodeAnswer.NodeRefuses refused -> {
                json.writeStringField("answer", "refused");
                json.writeStringField("why", refused.refusal().text());
            }
            case NodeAnswer.HasNone _ -> json.writeStringField("answer", "none");
        }
        json.writeNumberField("allocatable", nodes.allocatable());
        json.writeNumberField("count", nodes.names().size());
        strings("names", nodes.names(), json);
        json.writeEndObject();
    }

    private static void inUse(ResourceName candidate, NodeAnswer.InUse inUse, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("short");
        for (Shortage shortage : inUse.shortages()) {
            ResourceName resource = shortage.resource();
            json.writeStartObject();
            json.writeStringField("resource", resource.value());
            CapacityEncoder.number("available", resource, shortage.available(), json);
            CapacityEncoder.number("allocatable", resource, shortage.allocatable(), json);
            CapacityEncoder.number("needed", resource, shortage.needed(), json);
            heldBy(shortage.holders(), resource, json);
            json.writeEndObject();
        }
        json.writeEndArray();
        heldBy(inUse.holders(), candidate, json);
    }

    private static void heldBy(List<HeldAmount> holders, ResourceName resource, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("heldBy");
        for (HeldAmount holding : holders) {
            json.writeStartObject();
            json.writeStringField("pod", holding.pod());
            json.writeBooleanField("bound", holding.state() == Occupancy.HolderState.BOUND);
            CapacityEncoder.number("amount", resource, holding.amount(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void tooSmall(NodeAnswer.TooSmall small, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("short");
        for (Lack lack : small.lacks()) {
            json.writeStartObject();
            json.writeStringField("resource", lack.resource().value());
            CapacityEncoder.number("allocatable", lack.resource(), lack.allocatable(), json);
            CapacityEncoder.number("needed", lack.resource(), lack.needed(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void strings(String field, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(field);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
