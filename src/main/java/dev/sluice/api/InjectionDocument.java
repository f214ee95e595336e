package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sluice.admission.DecisionExplanation;
import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.Injection.Basis;
import dev.sluice.admission.injection.Injection.KeptRequest;
import dev.sluice.admission.injection.Injection.Line;
import dev.sluice.admission.injection.Injection.Portion;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.injection.Injection.Wanted;
import dev.sluice.admission.injection.InjectionCoefficient;
import dev.sluice.admission.injection.InjectionRules.RuleInUse;
import dev.sluice.admission.injection.NotInjected;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of injection for an explained pod. At most one component is not null. Quantities are written as the API
 * server prints them.
 */
record InjectionDocument(
        @Nullable InjectionResult injection,
        @Nullable InjectionRefusal injectionRefused,
        @Nullable NoInjection notInjected) {

    /**
     * The injection rule that applies to the pod.
     *
     * @param ruleOfNamespace the namespace that contains the rule; null for a default rule
     */
    record UsedRule(
            String type,
            ResourceName resource,
            @JsonInclude @Nullable String ruleOfNamespace) {

        private static UsedRule of(RuleInUse use) {
            return new UsedRule(
                    use.type(),
                    use.resource(),
                    switch (use.source()) {
                        case RuleInUse.Source.OfNamespace own -> own.namespace();
                        case RuleInUse.Source.Default _ -> null;
                    });
        }
    }

    record InjectionResult(
            @JsonUnwrapped UsedRule rule,
            long gpus,
            List<InjectedResource> resources,
            Map<String, String> annotations) {

        private static InjectionResult of(Injection.Injected given) {
            return new InjectionResult(
                    UsedRule.of(given.use()),
                    given.gpus(),
                    given.lines().stream().map(InjectedResource::of).toList(),
                    given.use().rule().annotations());
        }
    }

    /**
     * A resource that is injected.
     *
     * @param shared how the amount that the GPU containers share is calculated; null if they share no amount
     */
    record InjectedResource(
            ResourceName resource,
            InjectionCoefficient coefficient,
            String unit,
            String basis,
            @JsonUnwrapped Basis.@Nullable Shared shared,
            @JsonIgnoreProperties({"container", "kept"}) List<Portion> containers) {

        private static InjectedResource of(Line line) {
            return new InjectedResource(
                    line.rule().name(),
                    line.rule().coefficient(),
                    line.rule().unit().text(),
                    switch (line.basis()) {
                        case Basis.Shared _ -> "pod";
                        case Basis.Each _ -> "container";
                        case Basis.LeftToPod _ -> "leftToPod";
                    },
                    line.basis() instanceof Basis.Shared shared ? shared : null,
                    line.portions());
        }
    }

    /**
     * The reason why the injection leads to a denial of the pod.
     *
     * @param type the GPU type; null if {@code rule} contains it
     * @param gpus the number of GPUs as text, because it may be too large for a {@code long}
     */
    record InjectionRefusal(
            String why,
            @Nullable String type,
            @Nullable List<Wanted> wanted,
            @JsonUnwrapped @Nullable UsedRule rule,
            @Nullable String gpus,
            @Nullable ResourceName injected,
            @Nullable Quantity total,
            @Nullable List<KeptRequest> taken,
            @Nullable Quantity asked) {

        private static InjectionRefusal of(Refusal refusal) {
            return switch (refusal) {
                case Refusal.DifferentResources different ->
                    withoutRule("differentResources", different.type(), different.wanted());
                case Refusal.ZeroGpus none -> withoutRule("noGpu", none.type(), List.of(none.wanted()));
                case Refusal.TooLarge tooLarge ->
                    new InjectionRefusal(
                            "tooLarge",
                            null,
                            null,
                            UsedRule.of(tooLarge.use()),
                            Long.toString(tooLarge.gpus()),
                            tooLarge.resource(),
                            tooLarge.total(),
                            tooLarge.taken(),
                            tooLarge.asked());
                case Refusal.Overflow overflow ->
                    new InjectionRefusal(
                            "overflow",
                            null,
                            null,
                            UsedRule.of(overflow.use()),
                            overflow.gpus(),
                            overflow.resource(),
                            null,
                            null,
                            null);
            };
        }

        private static InjectionRefusal withoutRule(String why, String type, List<Wanted> wanted) {
            return new InjectionRefusal(why, type, wanted, null, null, null, null, null, null);
        }
    }

    /** The reason why an admitted pod gets no resources in addition to its GPUs. */
    record NoInjection(
            String why,
            @Nullable String type,
            @Nullable List<String> known,
            @Nullable List<ResourceName> resources) {

        private static NoInjection of(NotInjected why) {
            return switch (why) {
                case NotInjected.NoRules(String type) -> new NoInjection(why.word(), type, null, null);
                case NotInjected.UnknownType(String type, List<String> known) ->
                    new NoInjection(why.word(), type, known, null);
                case NotInjected.OtherResources(String type, List<ResourceName> resources) ->
                    new NoInjection(why.word(), type, null, resources);
                case NotInjected.NoType _, NotInjected.NamespaceSkipped _, NotInjected.LeftAsWritten _ ->
                    new NoInjection(why.word(), null, null, null);
            };
        }
    }

    static InjectionDocument of(DecisionExplanation explanation) {
        return switch (explanation.verdict().injection()) {
            case Injection.Injected given -> new InjectionDocument(InjectionResult.of(given), null, null);
            case Injection.Refused refused -> new InjectionDocument(null, InjectionRefusal.of(refused.refusal()), null);
            case Injection.NothingInjected _ ->
                new InjectionDocument(
                        null,
                        null,
                        explanation.notInjected().map(NoInjection::of).orElse(null));
        };
    }
}
