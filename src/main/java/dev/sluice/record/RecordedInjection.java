package dev.sluice.record;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.InjectionRules.RuleInUse;
import java.util.Optional;

/**
 * The injection rule that gave a pod its CPU and memory, or that led to a denial.
 *
 * @param gpuType the GPU type from the pod's annotation; empty if no rule was searched for
 * @param rule the rule of the policy; empty if no rule matched
 */
public record RecordedInjection(String gpuType, Optional<RuleInUse> rule) {

    public static final RecordedInjection NONE = new RecordedInjection("", Optional.empty());

    public static RecordedInjection of(Injection injection) {
        return switch (injection) {
            case Injection.NothingInjected _ -> NONE;
            case Injection.Injected given ->
                new RecordedInjection(RecordedReviewHead.kept(given.use().type()), Optional.of(given.use()));
            case Injection.Refused(Injection.Refusal refusal) ->
                new RecordedInjection(RecordedReviewHead.kept(refusal.type()), refusal.rule());
        };
    }
}
