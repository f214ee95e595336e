package dev.sluice.admission;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.Injection.Refusal;
import dev.sluice.admission.patch.PatchOperation;
import dev.sluice.admission.patch.PatchedPod;
import dev.sluice.admission.patch.PodPatch;
import dev.sluice.admission.patch.PodPatch.Attempt;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy.FallbackMessage;
import dev.sluice.admission.request.ReinvokedPodRequest;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.DecisionCauseContainers;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Verdict.Outcome;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates the verdict of a search with its patch. Each patch is first applied to a copy of the pod, so that an invalid
 * patch is never sent.
 */
final class SearchVerdicts {

    static final String KEEP = "keep";

    private final GpuRequest request;
    private final NamespacePolicy policy;
    private final FallbackCandidateDemand demand;
    private final Optional<ReinvokedPodRequest> secondLook;
    private final List<DecisionCause> causes = new ArrayList<>(0);
    private List<PodRequestReplacement> end = List.of();
    private @Nullable PodPatch sent;

    /**
     * Creates an object for one search.
     *
     * @param request the original request of the pod, even if Sluice has already changed the pod
     */
    SearchVerdicts(
            GpuRequest request,
            NamespacePolicy policy,
            FallbackCandidateDemand demand,
            Optional<ReinvokedPodRequest> secondLook) {
        this.request = request;
        this.policy = policy;
        this.demand = demand;
        this.secondLook = secondLook;
    }

    /**
     * Returns the replacements with which the search ended. For an admitted pod, they are the replacements of the
     * patch; if the patch is invalid and left out, the list is empty. If the injection rules refuse the pod, they are
     * the replacements that were tried.
     */
    List<PodRequestReplacement> end() {
        return end;
    }

    /** Returns the pod as the API server admits it: after the patch, or as in the review if no patch is sent. */
    PodRequest admitted() {
        return sent == null ? stored() : sent.after();
    }

    void tell(DecisionCause cause) {
        causes.add(cause);
    }

    List<DecisionCause> causes() {
        return causes;
    }

    /**
     * Returns the verdict for a pod that cannot be evaluated. If Sluice has already changed the pod, the patch restores
     * its original request.
     */
    Verdict untouched(Reason reason) {
        return secondLook.isEmpty()
                ? Verdict.Allowed.untouched(reason, causes)
                : patched(withoutInjection(List.of()), Outcome.UNTOUCHED, reason, List.of());
    }

    Verdict denied(Reason reason, DecisionCause cause) {
        return new Verdict.Denied(
                reason, cause, causes, Injection.NOTHING, policy.policy().helpText());
    }

    /**
     * Returns the verdict for a pod without GPUs. Injection is still possible, because an injection rule may name a
     * resource that the policy does not treat as a GPU.
     */
    Verdict withoutGpuRequest() {
        if (!injects()) {
            return new Verdict.NoGpu();
        }
        return switch (demand.attempt(List.of())) {
            case Attempt.PodChanged(PodPatch change)
            when !(change.injection() instanceof Injection.Injected) -> new Verdict.NoGpu();
            case Attempt attempt -> patched(attempt, Outcome.UNCHANGED, Reason.INJECTED, List.of());
        };
    }

    /** Returns true if an injection rule may apply to the pod. */
    private boolean injects() {
        return request.pod().annotations().gpuType() != null
                && !policy.injector().rules().isEmpty();
    }

    /**
     * Returns the verdict for an admitted pod. The patch makes the replacements and adds the missing limits of GPUs. If
     * it adds a limit to an otherwise unchanged pod, the pod is reported as changed. Nothing is injected into a pod
     * that cannot be evaluated.
     */
    Verdict allowed(Outcome outcome, Reason reason, List<PodRequestReplacement> moves) {
        List<ResourceName> withoutLimit = request.withoutLimit();
        withoutLimit.forEach(asked -> causes.add(new DecisionCause.LimitAdded(
                DecisionCauseContainers.of(request.containersWithoutLimit(asked)), asked)));
        if (moves.isEmpty() && withoutLimit.isEmpty() && !injects() && secondLook.isEmpty()) {
            return Verdict.Allowed.unpatched(outcome, reason, causes);
        }
        Attempt attempt = outcome == Outcome.UNTOUCHED ? withoutInjection(moves) : demand.attempt(moves);
        boolean isLimitAdded = outcome == Outcome.UNCHANGED && !withoutLimit.isEmpty();
        return patched(attempt, isLimitAdded ? Outcome.CHANGED : outcome, reason, moves);
    }

    /**
     * Returns the verdict for a pod that keeps its request. The patch writes the annotation that turns fallbacks off,
     * so that Sluice and another webhook do not keep undoing each other's changes.
     */
    Verdict keptForGood() {
        return switch (demand.attempt(List.of())) {
            case Attempt.PodChanged(PodPatch change) ->
                patched(
                        change.annotated(PodRequestAnnotations.FALLBACK_MODE, KEEP),
                        Outcome.KEPT,
                        Reason.KEPT_AS_WRITTEN,
                        List.of());
            case Attempt.ChangeRefused refused -> patched(refused, Outcome.KEPT, Reason.KEPT_AS_WRITTEN, List.of());
        };
    }

    /** Returns the denial of a pod that the injection rules refuse after these replacements of resources. */
    Verdict refused(List<PodRequestReplacement> moves) {
        return patched(demand.attempt(moves), Outcome.CHANGED, Reason.INJECTION_REFUSED, moves);
    }

    private Verdict patched(Attempt attempt, Outcome outcome, Reason reason, List<PodRequestReplacement> moves) {
        end = moves;
        return switch (attempt) {
            // The pod is not changed, so the causes of its planned changes are left out.
            case Attempt.ChangeRefused(Refusal refusal) ->
                new Verdict.Denied(
                        Reason.INJECTION_REFUSED,
                        new DecisionCause.InjectionRefused(refusal, moves),
                        request.resources().isEmpty()
                                ? List.of()
                                : aboutFallbackMode().stream().toList(),
                        new Injection.Refused(refusal),
                        policy.policy().helpText());
            case Attempt.PodChanged(PodPatch change) -> patched(change, outcome, reason, moves);
        };
    }

    private Verdict patched(PodPatch change, Outcome outcome, Reason reason, List<PodRequestReplacement> moves) {
        String problem = "";
        for (PodPatch tried : bestFirst(change, moves)) {
            List<PatchOperation> patch = patch(tried);
            Optional<String> found = patch.isEmpty() ? Optional.empty() : PatchedPod.problem(stored(), patch);
            if (found.isEmpty()) {
                sent = tried;
                return new Verdict.Allowed(outcome, reason, moves, causes, patch, change.injection(), List.of());
            }
            problem = found.get();
        }
        end = List.of();
        return Verdict.Allowed.untouched(Reason.PATCH_NOT_LEGAL, List.of(illegal(problem)));
    }

    private List<PatchOperation> patch(PodPatch change) {
        return secondLook.map(change::patchOf).orElseGet(change::patch);
    }

    /** Returns the pod as it is in the review. */
    private PodRequest stored() {
        return secondLook.map(ReinvokedPodRequest::stored).orElseGet(request::pod);
    }

    /**
     * Returns true if the first review of the pod made the same replacements. The pod then already contains the message
     * about them.
     */
    private boolean areToldAlready(List<PodRequestReplacement> moves) {
        return secondLook.filter(look -> look.earlier().equals(moves)).isPresent();
    }

    /**
     * Returns the versions of the change to try in this order: with a message, if the policy requests one, and without.
     * The version without the message is used if the message would make the annotations of the pod too large.
     */
    private List<PodPatch> bestFirst(PodPatch change, List<PodRequestReplacement> moves) {
        return moves.isEmpty() || policy.policy().fallbackMessage() == FallbackMessage.NONE || areToldAlready(moves)
                ? List.of(change)
                : List.of(change.annotated(PodRequestAnnotations.FALLBACK_MESSAGE, Wording.message(causes)), change);
    }

    /**
     * Returns the cause for an invalid patch. If the pod is invalid even if only its missing limits are added, the
     * cause says that the pod itself is invalid.
     */
    private DecisionCause illegal(String problemOfPatch) {
        return PatchedPod.problem(request.pod(), missingLimits())
                .map(problem -> new DecisionCause.IllegalPod(problem, /* asWritten= */ true))
                .orElseGet(() -> new DecisionCause.IllegalPod(problemOfPatch, /* asWritten= */ false));
    }

    private List<PatchOperation> missingLimits() {
        return switch (withoutInjection(List.of())) {
            case Attempt.PodChanged(PodPatch change) -> change.patch();
            case Attempt.ChangeRefused _ -> List.of();
        };
    }

    /** Returns the attempt to make these replacements in the pod, without injection. */
    private Attempt withoutInjection(List<PodRequestReplacement> moves) {
        return PodPatch.attempt(request, moves, policy.withoutInjection());
    }

    Optional<DecisionCause> aboutFallbackMode() {
        String value = request.pod().annotations().fallbackMode();
        return value == null || value.equals(KEEP)
                ? Optional.empty()
                : Optional.of(new DecisionCause.UnknownFallbackMode(value));
    }

    /** Returns a cause if the pod asks for injection although no injection rules are configured. */
    Optional<DecisionCause> aboutMissingRules() {
        String type = request.pod().annotations().gpuType();
        return type == null || !policy.injector().rules().isEmpty()
                ? Optional.empty()
                : Optional.of(new DecisionCause.NoInjectionRules(type));
    }
}
