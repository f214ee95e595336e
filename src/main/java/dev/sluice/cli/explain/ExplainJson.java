package dev.sluice.cli.explain;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.sluice.admission.Explanation;
import dev.sluice.admission.Explanation.AlikeNodes;
import dev.sluice.admission.Explanation.HeldAmount;
import dev.sluice.admission.Explanation.Lack;
import dev.sluice.admission.Explanation.NodeAnswer;
import dev.sluice.admission.Explanation.Shortage;
import dev.sluice.admission.Occupancy;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.request.Move;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Trace.AskedResource;
import dev.sluice.admission.verdict.Trace.Candidate;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.admission.verdict.Words;
import dev.sluice.api.CapacityEncoder;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.webhook.review.PatchEncoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

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
 *    "inVain": [],
 *    "knownFaults": [{"resource": "nvidia.com/mig-2g.20gb", "text": "…"}]}],
 *  "policy": "conf/gateway.yaml"}
 * }</pre>
 */
final class ExplainJson {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private ExplainJson() {}

    static void print(List<Explained> all, String policy, PrintWriter out) throws IOException {
        ObjectNode json = JSON.createObjectNode();
        ArrayNode pods = json.putArray("pods");
        for (Explained explained : all) {
            ObjectNode pod = pods.addObject();
            header(explained, pod);
            switch (explained) {
                case Explained.Passed _ -> verdict(new Verdict.NoGpu(), "passed", pod);
                case Explained.Decided decided -> {
                    decided(decided.explanation(), pod);
                    faults(decided.faults(), pod);
                }
            }
        }
        json.put("policy", policy);
        JSON.writerWithDefaultPrettyPrinter().writeValue(out, json);
        out.println();
    }

    /** Prints the patch alone, on one line. */
    static void printPatch(Explained explained, PrintWriter out) throws IOException {
        List<PatchOperation> patch = explained instanceof Explained.Decided decided
                        && decided.explanation().verdict() instanceof Verdict.Allowed allowed
                ? allowed.patch()
                : List.of();
        JSON.writeValue(out, patch(patch));
        out.println();
    }

    static JsonNode patch(List<PatchOperation> patch) throws IOException {
        TokenBuffer tokens = new TokenBuffer(JSON, /* hasNativeIds= */ false);
        PatchEncoder.write(patch, tokens);
        return JSON.readTree(tokens.asParser());
    }

    private static void header(Explained explained, ObjectNode json) {
        json.put("source", explained.manifest().source());
        switch (explained.manifest()) {
            case Manifest.ManifestPods pods -> {
                json.put("kind", pods.kind()).put("name", pods.name()).put("copies", pods.copies());
                if (!pods.path().isEmpty()) {
                    json.put("template", pods.path());
                }
            }
            case Manifest.Review review ->
                json.put("kind", "AdmissionReview")
                        .put("name", review.review().podName())
                        .put("copies", 1);
            case Manifest.Other other -> json.put("kind", other.title());
        }
        json.put("namespace", explained.namespace());
        explained.changedBefore().ifPresent(fallback -> json.put("changedBefore", fallback));
    }

    private static void decided(Explanation explanation, ObjectNode json) throws IOException {
        verdict(explanation.verdict(), "noGpu", json);
        json.put("mode", explanation.trace().mode().name().toLowerCase(Locale.ROOT));
        ArrayNode resources = json.putArray("asked");
        explanation.trace().asked().forEach(asked -> asked(asked, explanation, resources.addObject()));
        if (!explanation.invalid().isEmpty()) {
            explanation.invalid().forEach(json.putArray("invalid")::add);
        }
        InjectionJson.write(explanation, json);
        ArrayNode inVain = json.putArray("inVain");
        for (List<Move> combination : explanation.trace().inVain()) {
            ObjectNode given = inVain.addObject();
            for (AskedResource asked : explanation.trace().asked()) {
                given.put(
                        asked.resource().value(),
                        Move.given(combination).apply(asked.resource()).value());
            }
        }
    }

    private static void faults(List<DecisionCause.KnownFault> faults, ObjectNode json) {
        if (!faults.isEmpty()) {
            ArrayNode known = json.putArray("knownFaults");
            faults.forEach(fault ->
                    known.addObject().put("resource", fault.asked().value()).put("text", fault.text()));
        }
    }

    private static void verdict(Verdict verdict, String otherwise, ObjectNode json) throws IOException {
        Words words = Wording.of(verdict);
        List<PatchOperation> patch = List.of();
        switch (verdict) {
            case Verdict.NoGpu _ -> json.put("decision", otherwise);
            case Verdict.Denied denied ->
                json.put("decision", "denied")
                        .put("reason", denied.reason().word())
                        .put("message", words.message());
            case Verdict.Allowed allowed -> {
                json.put("decision", allowed.outcome().word())
                        .put("reason", allowed.reason().word());
                if (!allowed.moves().isEmpty()) {
                    json.put("annotation", Move.annotation(allowed.moves()));
                }
                patch = allowed.patch();
            }
        }
        words.warnings().forEach(json.putArray("warnings")::add);
        json.set("patch", patch(patch));
    }

    private static void asked(AskedResource asked, Explanation explanation, ObjectNode json) {
        json.put("resource", asked.resource().value());
        asked.containers().forEach(json.putArray("containers")::add);
        ArrayNode candidates = json.putArray("candidates");
        for (Candidate candidate : asked.candidates()) {
            ArrayNode nodes = candidates
                    .addObject()
                    .put("resource", candidate.resource().value())
                    .put("need", candidate.need())
                    .put("fate", candidate.fate().word())
                    .putArray("nodes");
            explanation.nodes(candidate).forEach(alike -> nodes(candidate.resource(), alike, nodes.addObject()));
        }
    }

    private static void nodes(ResourceName candidate, AlikeNodes nodes, ObjectNode json) {
        switch (nodes.answer()) {
            case NodeAnswer.Fits(OptionalLong free) -> {
                json.put("answer", "fits");
                free.ifPresent(available -> json.put("available", available));
            }
            case NodeAnswer.InUse inUse -> inUse(candidate, inUse, json.put("answer", "inUse"));
            case NodeAnswer.TooSmall small -> tooSmall(small, json.put("answer", "tooSmall"));
            case NodeAnswer.TooFew _ -> json.put("answer", "tooFew");
            case NodeAnswer.NodeRefuses refused ->
                json.put("answer", "refused").put("why", refused.refusal().text());
            case NodeAnswer.HasNone _ -> json.put("answer", "none");
        }
        json.put("allocatable", nodes.allocatable()).put("count", nodes.names().size());
        nodes.names().forEach(json.putArray("names")::add);
    }

    private static void inUse(ResourceName candidate, NodeAnswer.InUse inUse, ObjectNode json) {
        ArrayNode shortages = json.putArray("short");
        for (Shortage shortage : inUse.shortages()) {
            ResourceName resource = shortage.resource();
            ObjectNode one = shortages.addObject().put("resource", resource.value());
            one.put("available", CapacityEncoder.amountOf(resource, shortage.available()))
                    .put("allocatable", CapacityEncoder.amountOf(resource, shortage.allocatable()))
                    .put("needed", CapacityEncoder.amountOf(resource, shortage.needed()));
            heldBy(shortage.holders(), resource, one);
        }
        heldBy(inUse.holders(), candidate, json);
    }

    private static void heldBy(List<HeldAmount> holders, ResourceName resource, ObjectNode json) {
        ArrayNode pods = json.putArray("heldBy");
        for (HeldAmount held : holders) {
            pods.addObject()
                    .put("pod", held.pod())
                    .put("bound", held.state() == Occupancy.PodBinding.BOUND)
                    .put("amount", CapacityEncoder.amountOf(resource, held.amount()));
        }
    }

    private static void tooSmall(NodeAnswer.TooSmall small, ObjectNode json) {
        ArrayNode lacks = json.putArray("short");
        for (Lack lack : small.lacks()) {
            lacks.addObject()
                    .put("resource", lack.resource().value())
                    .put("allocatable", CapacityEncoder.amountOf(lack.resource(), lack.allocatable()))
                    .put("needed", CapacityEncoder.amountOf(lack.resource(), lack.needed()));
        }
    }
}
