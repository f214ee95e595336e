package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.api.ExplainDocument;
import dev.sluice.api.ExplainDocument.ExplainedChoice;
import dev.sluice.api.ExplainDocument.ExplainedObject;
import dev.sluice.api.ExplainDocument.ExplainedVerdict;
import dev.sluice.api.ExplainDocument.FaultSentence;
import dev.sluice.api.ExplainDocument.PodExplanation;
import dev.sluice.cli.status.Registration;
import dev.sluice.kube.decode.ReviewPatchEncoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts explanations to the document that {@code -o json} prints. */
final class ExplainJson {

    private static final ObjectMapper TREES = new ObjectMapper();

    private ExplainJson() {}

    /**
     * Creates the document.
     *
     * @param policy the file or ConfigMap that contains the policy, or {@code defaults}
     */
    static ExplainDocument document(List<Explained> all, Registration registered, String policy) throws IOException {
        List<PodExplanation> pods = new ArrayList<>();
        for (Explained explained : all) {
            pods.add(pod(
                    explained,
                    registered
                            .notAsked(explained.manifest().toCreate(explained.namespace()))
                            .orElse(null)));
        }
        return new ExplainDocument(pods, policy, registered.notes());
    }

    private static PodExplanation pod(Explained explained, @Nullable String notAsked) throws IOException {
        JsonNode patch = patch(explained);
        return switch (explained) {
            case Explained.Passed _ ->
                new PodExplanation(
                        object(explained),
                        ExplainedVerdict.of(new Verdict.NoGpu(), "passed", patch),
                        null,
                        notAsked,
                        null,
                        List.of());
            case Explained.Decided decided ->
                new PodExplanation(
                        object(explained),
                        ExplainedVerdict.of(decided.verdict(), "noGpu", patch),
                        decided.policy().enforcement(),
                        notAsked,
                        ExplainedChoice.of(decided.explanation()),
                        FaultSentence.of(decided.faults()));
        };
    }

    private static ExplainedObject object(Explained explained) {
        String source = explained.manifest().source();
        String namespace = explained.namespace();
        String changedBefore = explained.changedBefore().orElse(null);
        return switch (explained.manifest()) {
            case Manifest.ManifestPods pods ->
                new ExplainedObject(
                        source,
                        pods.kind(),
                        pods.name(),
                        (long) pods.copies(),
                        pods.path().isEmpty() ? null : pods.path(),
                        namespace,
                        changedBefore,
                        explained.notFilled());
            case Manifest.Review review ->
                new ExplainedObject(
                        source,
                        "AdmissionReview",
                        review.review().podName(),
                        1L,
                        null,
                        namespace,
                        changedBefore,
                        List.of());
            case Manifest.PodClass _, Manifest.Other _ ->
                new ExplainedObject(
                        source, explained.manifest().title(), null, null, null, namespace, changedBefore, List.of());
        };
    }

    /** Returns the patch that the gateway sends. It has no operations if the policy only observes. */
    static JsonNode sentPatch(Explained explained) throws IOException {
        return explained instanceof Explained.Decided decided
                        && decided.policy().observes()
                ? patch(List.of())
                : patch(explained);
    }

    /** Returns the patch of a pod. The patch has no operations if the pod is not changed. */
    static JsonNode patch(Explained explained) throws IOException {
        return patch(
                explained instanceof Explained.Decided decided
                                && decided.explanation().verdict() instanceof Verdict.Allowed allowed
                        ? allowed.patch()
                        : List.of());
    }

    /** Returns the patch in the same JSON format as in an answer to a review. */
    static JsonNode patch(List<PatchOperation> patch) throws IOException {
        TokenBuffer tokens = new TokenBuffer(TREES, /* hasNativeIds= */ false);
        ReviewPatchEncoder.write(patch, tokens);
        return TREES.readTree(tokens.asParser());
    }
}
