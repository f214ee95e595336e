package dev.sluice.cli.policytest;

import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.request.ActivePolicy;
import java.util.List;

/** What a case expects of a decision. */
sealed interface ExpectedDecision permits ExpectedFields, ExpectedResponse {

    /** Returns the fields that are not as expected; empty if the case passes. */
    List<FieldDifference> differences(ActualDecision actual);

    /**
     * Returns true if the case expects the answer that a gateway sends, and false if it expects the decision. They
     * differ if the policy only observes.
     */
    boolean isOfAnswer();

    /** Returns the expected word of the decision; empty if the case does not say. */
    String decision();

    /** Returns true if the pod is expected to be patched. */
    boolean hasPatch();

    /**
     * Returns why no pod could be decided as expected by this policy; empty if it is possible. What depends on the case
     * alone was found while the case was read.
     */
    default String contradiction(ActivePolicy policy) {
        boolean patches =
                policy.policies().reserve() || !policy.injector().rules().equals(InjectionRules.NONE);
        return hasPatch() && decision().equals("unchanged") && !patches
                ? "expects the decision unchanged and a patch, but its policy injects nothing and reserves nothing, so it"
                        + " patches no unchanged pod"
                : "";
    }
}
