package dev.sluice.api;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.RecordedBasis;
import dev.sluice.record.RecordedContainer;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.RecordedInjection;
import dev.sluice.record.RecordedReviewHead;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A decision as {@code /api/v1/decisions} shows it. The file {@code src/docs/decisions-json.md} documents each field.
 * New fields may be added, but no field is removed.
 */
record DecisionDocument(
        String id,
        Instant time,
        String uid,
        String namespace,
        String name,
        @Nullable PodController owner,
        boolean dryRun,
        RecordedDecisionKind decision,
        Reason reason,
        Policy.Enforcement enforcement,
        List<Exchange> changes,
        List<AskingContainer> containers,
        int moreContainers,
        List<TriedCandidate> candidates,
        List<CauseDocument> causes,
        List<String> warnings,
        int moreWarnings,
        @Nullable String message,
        @Nullable AppliedRule injection,
        @Nullable String stamp,
        Policy.Mode mode,
        long policyGeneration,
        long snapshotGeneration,
        @Nullable Double snapshotAgeSeconds,
        long micros) {

    private static final long NANOS_PER_MICRO = 1_000;
    private static final double MILLIS_PER_SECOND = 1_000;

    /** An exchange of resources: the containers that requested {@code from} got {@code to} instead. */
    record Exchange(ResourceName from, ResourceName to) {}

    /**
     * A container that requests GPUs.
     *
     * @param given the resources that the container gets; null if the pod was denied
     */
    record AskingContainer(
            String name,
            PodContainerKind kind,
            Map<ResourceName, String> asked,
            @Nullable Map<ResourceName, String> given) {

        private static AskingContainer of(RecordedContainer container, DecisionRecord decision) {
            return new AskingContainer(
                    container.name(),
                    container.kind(),
                    texts(container.asked()),
                    decision.kind() == RecordedDecisionKind.DENIED ? null : given(container, decision.moves()));
        }

        /** Returns the quantities as the user wrote them, by the name of the resource. */
        private static Map<ResourceName, String> texts(Map<ResourceName, Quantity> amounts) {
            Map<ResourceName, String> texts = new TreeMap<>();
            amounts.forEach((name, amount) -> texts.put(name, amount.text()));
            return texts;
        }

        /**
         * Returns the resources that the container gets. If the container itself also requests a substitute, the two
         * quantities are added.
         */
        private static Map<ResourceName, String> given(RecordedContainer container, List<PodRequestReplacement> moves) {
            Map<ResourceName, Quantity> given = new HashMap<>();
            container.asked().forEach((name, amount) -> {
                var _ = given.merge(PodRequestReplacement.given(moves).apply(name), amount, Quantity::plus);
            });
            return texts(given);
        }
    }

    record TriedCandidate(ResourceName asked, ResourceName resource, VerdictTrace.CandidateOutcome fate) {}

    /** The injection rule that was applied. */
    record AppliedRule(String gpuType, @Nullable String rule) {}

    /**
     * Creates the document.
     *
     * @param epoch the text that identifies this process; it is a part of the decision's id
     */
    static DecisionDocument of(NumberedDecisionRecord kept, String epoch) {
        DecisionRecord decision = kept.decision();
        RecordedReviewHead head = decision.pod().head();
        RecordedBasis basis = decision.basis();
        return new DecisionDocument(
                epoch + "-" + kept.number(),
                Instant.ofEpochMilli(decision.epochMillis()),
                head.uid(),
                head.namespace(),
                head.podName(),
                PodController.of(head.owner()),
                head.dryRun(),
                decision.kind(),
                decision.reason(),
                basis.enforcement(),
                decision.moves().stream()
                        .map(move -> new Exchange(move.asked(), move.given()))
                        .toList(),
                decision.pod().containers().stream()
                        .map(container -> AskingContainer.of(container, decision))
                        .toList(),
                decision.pod().more(),
                decision.candidates().stream()
                        .map(judged -> new TriedCandidate(judged.asked(), judged.candidate(), judged.fate()))
                        .toList(),
                decision.causes().stream().map(CauseDocument::of).toList(),
                decision.messages().warnings(),
                decision.messages().omitted(),
                presence(decision.messages().message()),
                rule(decision.injection()),
                presence(decision.stamp()),
                basis.mode(),
                basis.policyGeneration(),
                basis.snapshotGeneration(),
                age(decision),
                decision.nanos() / NANOS_PER_MICRO);
    }

    private static @Nullable String presence(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable AppliedRule rule(RecordedInjection injection) {
        return injection.equals(RecordedInjection.NONE)
                ? null
                : new AppliedRule(
                        injection.gpuType(),
                        injection.rule().map(rule -> rule.key()).orElse(null));
    }

    /**
     * Returns the seconds between the decision and the last time at which its cluster snapshot was known to be current.
     * Returns null if that time is unknown.
     */
    private static @Nullable Double age(DecisionRecord decision) {
        Instant proved = decision.basis().provedAsOf();
        return proved.equals(Instant.MIN)
                ? null
                : Math.max(0, decision.epochMillis() - proved.toEpochMilli()) / MILLIS_PER_SECOND;
    }

    /**
     * The controller of a pod. The uid and the API version are left out, because users identify the controller by its
     * name.
     */
    record PodController(String kind, String name) {

        static @Nullable PodController of(PodOwner owner) {
            return owner.equals(PodOwner.NONE) ? null : new PodController(owner.kind(), owner.name());
        }
    }
}
