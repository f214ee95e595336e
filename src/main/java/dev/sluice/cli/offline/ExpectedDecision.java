package dev.sluice.cli.offline;

import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.request.ActivePolicy;
import java.util.List;

/** The expectations of a case about its decision. */
sealed interface ExpectedDecision permits ExpectedFields, ExpectedResponse {

    /** Returns the fields that are not as expected; empty if the case passes. */
    List<CaseFieldDifference> differences(ActualDecision actual);

    /**
     * Returns true if the case expects an answer of the gateway, and false if it expects a decision. The two differ if
     * the policy only observes: the answer then admits every pod unchanged, whatever the decision is.
     */
    boolean isOfAnswer();

    /** Returns the expected word of the decision; empty if the case states none. */
    String decision();

    /** Returns true if the pod is expected to be patched. */
    boolean hasPatch();

    /**
     * Returns the reason why no decision under this policy can meet the expectations. Returns an empty text if there is
     * no such reason.
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
