package dev.sluice.api;

import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.DecisionCause.Fallbacks;
import dev.sluice.admission.verdict.DecisionCause.Offer;
import dev.sluice.admission.verdict.DecisionCauseContainers;
import dev.sluice.admission.verdict.Exhaustion;
import dev.sluice.admission.verdict.Exhaustion.FreeCount;
import dev.sluice.admission.verdict.Shortfall;
import dev.sluice.admission.verdict.ShortfallOrExhaustion;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cause of a decision: the kind of cause as a word, the resource that the cause is about, and amounts. */
record CauseDocument(
        @OpenApiNamesOf(DecisionCause.class) String cause,
        @Nullable List<String> containers,
        @Nullable Integer moreContainers,
        @Nullable CauseSubject asked,
        @Nullable CauseSubject given,
        @Nullable Fallbacks fallbacks,
        @Nullable List<CauseSubject> offered,
        @Nullable List<CauseSubject> usable,
        @Nullable Integer most,
        @Nullable String value,
        @Nullable String problem) {

    /** A resource with its amounts, and the reason why pods do not get it. */
    record CauseSubject(
            @OpenApiNamesOf(
                    value = {Shortfall.class, Exhaustion.class},
                    schema = "WhyNot")
            @Nullable
            String why,

            ResourceName resource,
            @Nullable Long free,
            @Nullable Long total,
            @Nullable Long nodes,
            @Nullable Long need,
            @Nullable Long largest,
            @Nullable Boolean enoughElsewhere,
            @Nullable ResourceName shortOf,
            @Nullable Long shortOfAmount) {

        private static CauseSubject of(ResourceName resource) {
            return new CauseSubject(null, resource, null, null, null, null, null, null, null, null);
        }

        private static CauseSubject of(Offer offer) {
            return new CauseSubject(
                    null, offer.resource(), null, offer.total(), offer.nodes(), null, null, null, null, null);
        }

        private static CauseSubject of(FreeCount count) {
            return inUse(null, count, null, null, null);
        }

        private static CauseSubject of(Shortfall why) {
            Shortfall.@Nullable TooFewOnEachNode tooFew = why instanceof Shortfall.TooFewOnEachNode each ? each : null;
            return new CauseSubject(
                    why.getClass().getSimpleName(),
                    why.resource(),
                    null,
                    null,
                    null,
                    why.need(),
                    tooFew == null ? null : tooFew.largest(),
                    tooFew == null ? null : tooFew.elsewhere(),
                    null,
                    null);
        }

        private static CauseSubject of(ShortfallOrExhaustion why) {
            return switch (why) {
                case Shortfall shortfall -> of(shortfall);
                case Exhaustion exhaustion -> of(exhaustion);
            };
        }

        private static CauseSubject of(Exhaustion why) {
            return switch (why) {
                case Exhaustion.NoNodeHasAll(FreeCount count) -> inUse(why, count, null, null, null);
                case Exhaustion.TooFewFree(FreeCount count, long need) -> inUse(why, count, need, null, null);
                case Exhaustion.NoNodeHasEnough(FreeCount count, long need, var _) ->
                    inUse(why, count, need, null, null);
                case Exhaustion.ShortBeside(FreeCount count, long need, ResourceName other, long amount) ->
                    inUse(why, count, need, other, amount);
            };
        }

        private static CauseSubject inUse(
                @Nullable Exhaustion why,
                FreeCount count,
                @Nullable Long need,
                @Nullable ResourceName shortOf,
                @Nullable Long shortOfAmount) {
            return new CauseSubject(
                    why == null ? null : why.getClass().getSimpleName(),
                    count.resource(),
                    count.uncertain() ? null : count.free(),
                    count.total(),
                    count.nodes(),
                    need,
                    null,
                    null,
                    shortOf,
                    shortOfAmount);
        }
    }

    static CauseDocument of(DecisionCause cause) {
        DecisionCauseContainers containers =
                cause instanceof DecisionCause.OfContainers some ? some.containers() : null;
        return new CauseDocument(
                cause.getClass().getSimpleName(),
                containers == null ? null : containers.first(),
                containers == null
                        ? null
                        : containers.count() - containers.first().size(),
                asked(cause),
                given(cause),
                fallbacks(cause),
                cause instanceof DecisionCause.NotOffered denied
                        ? denied.offered().stream().map(CauseSubject::of).toList()
                        : null,
                cause instanceof DecisionCause.Exhausted denied
                        ? denied.usable().stream().map(CauseSubject::of).toList()
                        : null,
                cause instanceof DecisionCause.TooManyCombinations many ? many.most() : null,
                cause instanceof DecisionCause.UnknownFallbackMode unknown ? unknown.mode() : null,
                problem(cause));
    }

    /**
     * Returns the resource that a cause is about. The switch has no default, so the compiler reports a new kind of
     * cause that is missing here.
     */
    private static @Nullable CauseSubject asked(DecisionCause cause) {
        return switch (cause) {
            case DecisionCause.Substituted substituted -> CauseSubject.of(substituted.why());
            case DecisionCause.SubstitutedAndWaits substituted -> CauseSubject.of(substituted.why());
            case DecisionCause.KeptAsWritten kept -> CauseSubject.of(kept.why());
            case DecisionCause.NotOffered denied -> CauseSubject.of(denied.why());
            case DecisionCause.SubstitutedAsExhausted substituted -> CauseSubject.of(substituted.why());
            case DecisionCause.Waits waits -> CauseSubject.of(waits.why());
            case DecisionCause.Exhausted denied -> CauseSubject.of(denied.why());
            case DecisionCause.TakenBack back -> CauseSubject.of(back.asked());
            case DecisionCause.WrittenBack back -> CauseSubject.of(back.asked());
            case DecisionCause.KeptWhileGated kept -> CauseSubject.of(kept.asked());
            case DecisionCause.KeptForTrace kept -> CauseSubject.of(kept.asked());
            case DecisionCause.KeptForClaims kept -> CauseSubject.of(kept.asked());
            case DecisionCause.KeptWithoutGpus kept -> CauseSubject.of(kept.asked());
            case DecisionCause.NoGpuInCluster denied -> CauseSubject.of(denied.asked());
            case DecisionCause.LimitAdded added -> CauseSubject.of(added.asked());
            case DecisionCause.KnownFault fault -> CauseSubject.of(fault.asked());
            case DecisionCause.Preempts _,
                    DecisionCause.TooManyCombinations _,
                    DecisionCause.UnknownFallbackMode _,
                    DecisionCause.NoInjectionRules _,
                    DecisionCause.IllegalPod _,
                    DecisionCause.Unreadable _,
                    DecisionCause.NothingReserved _,
                    DecisionCause.InjectionRefused _,
                    DecisionCause.NotDecided _,
                    DecisionCause.InternalFault _ -> null;
        };
    }

    private static @Nullable CauseSubject given(DecisionCause cause) {
        return switch (cause) {
            case DecisionCause.Substituted substituted -> CauseSubject.of(substituted.given());
            case DecisionCause.SubstitutedAsExhausted substituted -> CauseSubject.of(substituted.given());
            case DecisionCause.SubstitutedAndWaits substituted -> CauseSubject.of(substituted.given());
            case DecisionCause.Preempts preempts -> CauseSubject.of(preempts.why());
            default -> null;
        };
    }

    private static @Nullable Fallbacks fallbacks(DecisionCause cause) {
        return switch (cause) {
            case DecisionCause.Waits waits -> waits.fallbacks();
            case DecisionCause.KeptAsWritten kept -> kept.fallbacks();
            case DecisionCause.NotOffered denied -> denied.fallbacks();
            case DecisionCause.Exhausted denied -> denied.fallbacks();
            default -> null;
        };
    }

    private static @Nullable String problem(DecisionCause cause) {
        return switch (cause) {
            case DecisionCause.IllegalPod illegal -> illegal.problem();
            case DecisionCause.Unreadable unreadable -> unreadable.problem();
            case DecisionCause.KeptForTrace kept -> kept.trace().sentence();
            case DecisionCause.KnownFault fault -> fault.text();
            case DecisionCause.NothingReserved unreserved -> unreserved.why();
            case DecisionCause.NotDecided undecided -> undecided.why();
            default -> null;
        };
    }
}
