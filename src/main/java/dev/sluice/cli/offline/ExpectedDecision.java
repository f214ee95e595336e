package dev.sluice.cli.offline;

import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.request.ActivePolicy;
import java.util.List;

/** The expectations of a case about its decision. */
sealed interface ExpectedDecision permits ExpectedFields, ExpectedResponse {

    /** Returns the fields that are not as expected; empty if the case passes. */
    List<CaseFieldDifference> differences(ActualDecision actual);

    /**
     * Returns true if the expectations are about the answer that a gateway sends, and false if they are about the
     * decision. The two differ if the policy only observes, because the answer then admits every pod as it is written.
     */
    boolean isOfAnswer();

    /** Returns the expected word of the decision; empty if the case states none. */
    String decision();

    /** Returns true if the pod is expected to be patched. */
    boolean hasPatch();

    /**
     * Returns the reason why the expectations contradict the policy. Returns an empty text if a decision of the policy
     * can meet them. Expectations that contradict each other were already reported when the case was read.
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
