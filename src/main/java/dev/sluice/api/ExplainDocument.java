package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.admission.DecisionExplanation;
import dev.sluice.admission.DecisionExplanation.AlikeNodes;
import dev.sluice.admission.DecisionExplanation.HeldAmount;
import dev.sluice.admission.DecisionExplanation.Lack;
import dev.sluice.admission.DecisionExplanation.NodeAnswer;
import dev.sluice.admission.DecisionExplanation.Shortage;
import dev.sluice.admission.ExplanationOccupancy;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.admission.verdict.VerdictTrace.AskedResource;
import dev.sluice.admission.verdict.VerdictTrace.Candidate;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The output of {@code sluice explain -o json}, and the answer of {@code /api/v1/explain}. The file
 * {@code src/docs/explain-json.md} documents each field. New fields may be added, but no field is removed.
 *
 * @param policy where the policy comes from: the path of a file, {@code ConfigMap NAMESPACE/NAME}, {@code defaults}, or
 *     {@code gateway} if a running gateway explains
 * @param notes sentences that state which facts about the registration of the webhook are not known
 * @param gateway the policy and state of the running gateway that explains; null if no gateway explains
 * @param text what the command prints; null unless a client of the gateway asks for it
 */
public record ExplainDocument(
        List<PodExplanation> pods,
        String policy,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notes,
        @Nullable AnsweringGateway gateway,
        @Nullable String text) {

    /**
     * The state from which a running gateway decides.
     *
     * @param reservations how the replica knows which devices are free; null if no namespace is in availability mode,
     *     in which devices are reserved
     */
    public record AnsweringGateway(
            long policyGeneration,
            long snapshotGeneration,
            @Nullable ReservationsBasis reservations) {}

    /** The ways in which a replica knows which devices are free. */
    public enum ReservationsBasis {
        /** The replica makes the decisions, so its own ledger is exact. */
        OWN,
        /** The replica does not decide, but has a complete copy of the reservations. */
        COPY_IN_SYNC,
        /** The replica does not decide, and its copy of the reservations may lack the newest ones. */
        COPY_NOT_IN_SYNC
    }

    public ExplainDocument(List<PodExplanation> pods, String policy, List<String> notes) {
        this(pods, policy, notes, null, null);
    }

    /**
     * Returns this document with the state of the gateway that answers.
     *
     * @param page the explanation as text; null if the client did not ask for it
     */
    public ExplainDocument by(AnsweringGateway answering, @Nullable String page) {
        return new ExplainDocument(pods, policy, notes, answering, page);
    }

    /**
     * The explanation of one object.
     *
     * @param notAsked the reason why the API server does not call the webhook of Sluice for the pod; null if it calls
     *     the webhook, or if that is not known
     * @param enforcement whether the verdict is carried out; null if the gateway makes no decision about the object
     * @param choice how the gateway reached its verdict; null if the gateway makes no decision about the object
     */
    public record PodExplanation(
            @JsonUnwrapped ExplainedObject object,
            @JsonUnwrapped ExplainedVerdict verdict,
            Policy.@Nullable Enforcement enforcement,
            @Nullable String notAsked,
            @JsonUnwrapped @Nullable ExplainedChoice choice,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FaultSentence> knownFaults) {}

    /** The object that is explained. A property that the object does not have is null. */
    public record ExplainedObject(
            String source,
            String kind,
            @Nullable String name,
            @Nullable Long copies,
            @Nullable String template,
            String namespace,
            @Nullable String changedBefore,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notFilled) {}

    /**
     * The verdict on the pod, with the messages that its user gets.
     *
     * @param decision {@code noGpu} if the pod requests no GPU; {@code passed} if the gateway decides nothing about the
     *     object; {@code denied}; or a word of {@link Verdict.Outcome}
     */
    public record ExplainedVerdict(
            String decision,
            @Nullable Reason reason,
            @Nullable String message,
            @Nullable String annotation,
            List<String> warnings,
            JsonNode patch) {

        /**
         * Creates the verdict with its messages.
         *
         * @param otherwise the word of the decision if the object requests no GPU
         * @param patch the JSON patch in the answer to a review
         */
        public static ExplainedVerdict of(Verdict verdict, String otherwise, JsonNode patch) {
            VerdictTexts words = Wording.of(verdict);
            return switch (verdict) {
                case Verdict.NoGpu _ -> new ExplainedVerdict(otherwise, null, null, null, words.warnings(), patch);
                case Verdict.Denied denied ->
                    new ExplainedVerdict("denied", denied.reason(), words.message(), null, words.warnings(), patch);
                case Verdict.Allowed allowed ->
                    new ExplainedVerdict(
                            allowed.outcome().word(),
                            allowed.reason(),
                            null,
                            allowed.moves().isEmpty() ? null : PodRequestReplacement.annotation(allowed.moves()),
                            words.warnings(),
                            patch);
            };
        }
    }

    /** The steps that led the gateway to its verdict. */
    public record ExplainedChoice(
            Policy.Mode mode,
            List<AskedChain> asked,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> invalid,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> misspelt,
            @JsonUnwrapped InjectionDocument injected,
            @JsonProperty("inVain") List<Map<ResourceName, ResourceName>> rejectedCombinations) {

        public static ExplainedChoice of(DecisionExplanation explanation) {
            VerdictTrace trace = explanation.trace();
            return new ExplainedChoice(
                    trace.mode(),
                    trace.asked().stream()
                            .map(asked -> AskedChain.of(asked, explanation))
                            .toList(),
                    explanation.invalid(),
                    explanation.misspelt(),
                    InjectionDocument.of(explanation),
                    trace.rejectedCombinations().stream()
                            .map(combination -> combination(combination, trace.asked()))
                            .toList());
        }

        private static Map<ResourceName, ResourceName> combination(
                List<PodRequestReplacement> moves, List<AskedResource> all) {
            Map<ResourceName, ResourceName> given = new LinkedHashMap<>();
            all.forEach(asked -> given.put(
                    asked.resource(), PodRequestReplacement.given(moves).apply(asked.resource())));
            return given;
        }
    }

    public record FaultSentence(ResourceName resource, String text) {
        public static List<FaultSentence> of(List<DecisionCause.KnownFault> faults) {
            return faults.stream()
                    .map(fault -> new FaultSentence(fault.asked(), fault.text()))
                    .toList();
        }
    }

    /** A resource that the pod requests, and the candidates of its fallback chain. */
    public record AskedChain(ResourceName resource, List<String> containers, List<ChainLink> candidates) {
        private static AskedChain of(AskedResource asked, DecisionExplanation explanation) {
            return new AskedChain(
                    asked.resource(),
                    asked.containers(),
                    asked.candidates().stream()
                            .map(candidate -> ChainLink.of(candidate, explanation))
                            .toList());
        }
    }

    public record ChainLink(
            ResourceName resource, long need, VerdictTrace.CandidateOutcome fate, List<NodeGroupAnswer> nodes) {
        private static ChainLink of(Candidate candidate, DecisionExplanation explanation) {
            return new ChainLink(
                    candidate.resource(),
                    candidate.need(),
                    candidate.fate(),
                    explanation.nodes(candidate).stream()
                            .map(alike -> NodeGroupAnswer.of(alike, candidate.resource()))
                            .toList());
        }
    }

    /** A group of nodes with the same result for a candidate, for example too little free capacity. */
    public record NodeGroupAnswer(
            String answer,
            @Nullable Long available,
            @JsonProperty("short") @Nullable List<MissingResource> missing,
            @Nullable List<Holder> heldBy,
            @Nullable String why,
            @Nullable String deviceClass,
            long allocatable,
            int count,
            List<String> names) {

        private static NodeGroupAnswer of(AlikeNodes nodes, ResourceName candidate) {
            return switch (nodes.answer()) {
                case NodeAnswer.Fits fits ->
                    of(nodes, "fits", fits.free().isPresent() ? fits.free().getAsLong() : null, null, null, null);
                case NodeAnswer.InUse(
                        List<Shortage> shortages,
                        List<HeldAmount> holders,
                        NodeAnswer.InUse.Relief relief) ->
                    of(
                            nodes,
                            switch (relief) {
                                case WAITING -> "inUse";
                                case PREEMPTION -> "preemptible";
                            },
                            null,
                            shortages.stream().map(MissingResource::of).toList(),
                            Holder.of(holders, candidate),
                            null);
                case NodeAnswer.TooSmall(List<Lack> lacks) ->
                    of(
                            nodes,
                            "tooSmall",
                            null,
                            lacks.stream().map(MissingResource::of).toList(),
                            null,
                            null);
                case NodeAnswer.MayFit _ -> of(nodes, "mayFit", null, null, null, null);
                case NodeAnswer.TooFew _ -> of(nodes, "tooFew", null, null, null, null);
                case NodeAnswer.NodeRefuses refused ->
                    of(nodes, "refused", null, null, null, refused.refusal().text());
                case NodeAnswer.HasNone _ -> of(nodes, "none", null, null, null, null);
            };
        }

        private static NodeGroupAnswer of(
                AlikeNodes nodes,
                String answer,
                @Nullable Long available,
                @Nullable List<MissingResource> missing,
                @Nullable List<Holder> heldBy,
                @Nullable String why) {
            return new NodeGroupAnswer(
                    answer,
                    available,
                    missing,
                    heldBy,
                    why,
                    nodes.deviceClass().isEmpty() ? null : nodes.deviceClass(),
                    nodes.allocatable(),
                    nodes.names().size(),
                    nodes.names());
        }
    }

    /** A resource of which the nodes have too little, either in Allocatable or in their available amount. */
    public record MissingResource(
            ResourceName resource,
            @Nullable BigDecimal available,
            BigDecimal allocatable,
            BigDecimal needed,
            @Nullable List<Holder> heldBy) {

        private static MissingResource of(Shortage shortage) {
            ResourceName resource = shortage.resource();
            return new MissingResource(
                    resource,
                    CapacityDocument.amountOf(resource, shortage.available()),
                    CapacityDocument.amountOf(resource, shortage.allocatable()),
                    CapacityDocument.amountOf(resource, shortage.needed()),
                    Holder.of(shortage.holders(), resource));
        }

        private static MissingResource of(Lack lack) {
            return new MissingResource(
                    lack.resource(),
                    null,
                    CapacityDocument.amountOf(lack.resource(), lack.allocatable()),
                    CapacityDocument.amountOf(lack.resource(), lack.needed()),
                    null);
        }
    }

    /** A pod that uses a part of a resource, and the amount. */
    public record Holder(String pod, boolean bound, BigDecimal amount) {
        private static List<Holder> of(List<HeldAmount> holders, ResourceName resource) {
            return holders.stream()
                    .map(held -> new Holder(
                            held.pod(),
                            held.state() == ExplanationOccupancy.PodBinding.BOUND,
                            CapacityDocument.amountOf(resource, held.amount())))
                    .toList();
        }
    }
}
