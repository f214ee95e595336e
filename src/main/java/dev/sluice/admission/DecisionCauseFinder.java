package dev.sluice.admission;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.DecisionCause.Fallbacks;
import dev.sluice.admission.verdict.DecisionCause.Offer;
import dev.sluice.admission.verdict.DecisionCause.PlacedBy;
import dev.sluice.admission.verdict.DecisionCauseContainers;
import dev.sluice.admission.verdict.Exhaustion;
import dev.sluice.admission.verdict.Exhaustion.FreeCount;
import dev.sluice.admission.verdict.Shortfall;
import dev.sluice.admission.verdict.ShortfallOrExhaustion;
import dev.sluice.cluster.AlikeGpuNames;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ClusterSnapshotAllocatable;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a resource is not offered or not free. Also finds the amounts that the message for the user contains.
 *
 * @param limited true if a LimitRange has ruled out a combination of fallbacks
 */
record DecisionCauseFinder(
        GpuRequest request,
        FallbackCandidates candidates,
        ClusterSnapshot cluster,
        FreeCapacity capacity,
        boolean limited) {

    private static final int MOST_LOOKED_FOR = 16;

    /**
     * A cause contains at most this many reasons why nodes refuse the pod. The message for the user has no space for
     * more.
     */
    private static final int MOST_REFUSALS = 2;

    DecisionCauseContainers containers(ResourceName asked) {
        return DecisionCauseContainers.of(request.containersRequesting(asked));
    }

    DecisionCause substituted(PodRequestReplacement move) {
        return new DecisionCause.Substituted(containers(move.asked()), shortfall(move.asked()), offer(move));
    }

    /**
     * Returns the cause for a resource that is replaced because it is in use.
     *
     * @param total the amounts of all resources that the pod would use on its node without replacements
     */
    DecisionCause substitutedAsExhausted(PodRequestReplacement move, Amounts total) {
        return new DecisionCause.SubstitutedAsExhausted(
                containers(move.asked()), exhaustion(move.asked(), move.asked(), total), free(move.given()));
    }

    /**
     * Returns the cause for a replaced resource whose replacement is in use, too. The pod waits for the replacement.
     *
     * @param total the amounts of all resources that the pod uses on its node after all replacements
     */
    DecisionCause substitutedAndWaits(PodRequestReplacement move, Amounts total) {
        return new DecisionCause.SubstitutedAndWaits(
                containers(move.asked()),
                shortfall(move.asked()),
                exhaustion(move.asked(), move.given(), total),
                placedBy());
    }

    DecisionCause waits(ResourceName asked, Amounts total) {
        return new DecisionCause.Waits(
                containers(asked), exhaustion(asked, asked, total), usedFallbacks(asked), placedBy());
    }

    /**
     * Returns the cause for a pod that will preempt pods of lower priority.
     *
     * @param total the amounts of all resources that the pod uses on its node after all replacements
     */
    DecisionCause preempts(ResourceName asked, ResourceName given, Amounts total) {
        return new DecisionCause.Preempts(containers(asked), exhaustion(asked, given, total));
    }

    DecisionCause keptAsWritten(ResourceName asked) {
        Fallbacks fallbacks = fallbacks(asked);
        Shortfall why = shortfall(asked);
        boolean isThere = !(why instanceof Shortfall.NoNode);
        return new DecisionCause.KeptAsWritten(
                containers(asked),
                withAlikeName(why),
                fallbacks,
                placedBy(),
                isThere || fallbacks == Fallbacks.NOT_USABLE ? refusals(asked, why) : List.of());
    }

    PlacedBy placedBy() {
        return request.pod().constraints().nodeName() == null ? PlacedBy.SCHEDULER : PlacedBy.NODE_NAME;
    }

    DecisionCause keptWhileGated(ResourceName asked) {
        return new DecisionCause.KeptWhileGated(
                containers(asked), asked, cluster.allocatableOf(asked).nodes());
    }

    DecisionCause notOffered(ResourceName asked) {
        Shortfall why = shortfall(asked);
        return new DecisionCause.NotOffered(
                containers(asked),
                why,
                fallbacks(asked),
                offers(asked),
                refusals(asked, why),
                othersWithoutHope(asked));
    }

    /**
     * Returns the containers that request a resource for which no candidate is offered. Containers that also request
     * {@code asked} are left out.
     */
    private DecisionCauseContainers othersWithoutHope(ResourceName asked) {
        List<ContainerRequest> told = request.containersRequesting(asked);
        return DecisionCauseContainers.of(candidates.hopeless().stream()
                .flatMap(name -> request.containersRequesting(name).stream())
                .filter(container -> !told.contains(container))
                .distinct()
                .toList());
    }

    DecisionCause exhausted(ResourceName asked, Amounts total) {
        List<ResourceName> free = relevant(asked, freeGpus().stream()).toList();
        long overhead = request.overheadOf(asked);
        long need = request.needOf(asked, asked) - overhead;
        Amounts rest = total.only(name -> !name.equals(asked));
        Amounts others = overhead == 0 ? rest : rest.plus(Amounts.of(asked, overhead));
        ShortfallOrExhaustion why =
                candidates.of(asked).isOffered(0) ? exhaustion(asked, asked, total) : shortfall(asked);
        return new DecisionCause.Exhausted(
                containers(asked),
                why,
                usedFallbacks(asked),
                !free.isEmpty(),
                free.stream()
                        .filter(name -> isFree(others.plus(Amounts.of(name, need))))
                        .map(this::free)
                        .toList(),
                switch (why) {
                    case Shortfall shortfall -> refusals(asked, shortfall);
                    case Exhaustion.NoNodeHasEnough _ -> refusalsWhere(asked).toList();
                    case Exhaustion _ -> List.of();
                });
    }

    /**
     * Returns the requested resources whose free amount on all nodes together is too small for the pod. If there are
     * none, no single node has enough of everything. The method then returns the first requested resource.
     */
    List<ResourceName> scarce() {
        List<ResourceName> scarce = request.resources().stream()
                .filter(asked -> capacity.freeOf(asked) < request.needOf(asked, asked))
                .toList();
        return scarce.isEmpty() ? List.of(request.resources().getFirst()) : scarce;
    }

    private Fallbacks fallbacks(ResourceName asked) {
        if (!candidates.hasFallbacks(asked)) {
            return withoutFallbacks(asked);
        }
        if (candidates.of(asked).isAnyOffered()) {
            return limited ? Fallbacks.LIMITED : Fallbacks.NOT_TOGETHER;
        }
        return offeredFallbacks(asked).isEmpty() ? Fallbacks.ALSO_MISSING : Fallbacks.NOT_USABLE;
    }

    /**
     * Returns the reason why the pod gets no fallback of {@code asked}. The caller has found that neither the resource
     * nor a fallback is available now.
     */
    private Fallbacks usedFallbacks(ResourceName asked) {
        return candidates.hasFallbacks(asked) ? Fallbacks.ALSO_MISSING : withoutFallbacks(asked);
    }

    private Fallbacks withoutFallbacks(ResourceName asked) {
        return candidates.areSwitchedOff(asked) ? Fallbacks.SWITCHED_OFF : Fallbacks.NONE;
    }

    /** Returns the fallbacks that at least one node has. */
    private List<ResourceName> offeredFallbacks(ResourceName asked) {
        return candidates.of(asked).resources().stream()
                .skip(1)
                .filter(name -> cluster.allocatableOf(name).nodes() > 0)
                .toList();
    }

    /**
     * Returns reasons why the pod may not use the nodes with the resource. If no node has the resource, the method
     * looks at the nodes with a fallback. If no node has a fallback, it looks at the nodes with any GPU. The list is
     * empty if the pod may use one of these nodes. It is not empty, however, if all nodes with enough of the resource
     * refuse the pod.
     */
    private List<PodNodeMismatch> refusals(ResourceName asked, Shortfall why) {
        if (why instanceof Shortfall.TooFewOnEachNode tooFew && tooFew.elsewhere()) {
            return refusalsWhere(asked).toList();
        }
        boolean isThere = cluster.allocatableOf(asked).nodes() > 0;
        List<ResourceName> alike = isThere ? List.of(asked) : offeredFallbacks(asked);
        List<ResourceName> there = alike.isEmpty()
                ? cluster.devices().stream().filter(request.isGpu()).sorted().toList()
                : alike;
        return there.stream().anyMatch(name -> usable(name).nodes() > 0)
                ? List.of()
                : there.stream()
                        .flatMap(this::refusalsWhere)
                        .distinct()
                        .limit(MOST_REFUSALS)
                        .toList();
    }

    private Stream<PodNodeMismatch> refusalsWhere(ResourceName name) {
        return cluster.refusalsWhere(name, request.pod().constraints(), MOST_REFUSALS).stream();
    }

    private Shortfall shortfall(ResourceName asked) {
        long need = request.needOf(asked, asked);
        ClusterSnapshotAllocatable anywhere = cluster.allocatableOf(asked);
        if (anywhere.nodes() == 0) {
            return new Shortfall.NoNode(asked, need, sharedName(asked));
        }
        ClusterSnapshotAllocatable usable = usable(asked);
        if (usable.nodes() == 0) {
            return new Shortfall.NoUsableNode(asked, need);
        }
        return usable.largest() < need
                ? new Shortfall.TooFewOnEachNode(asked, need, usable.largest(), anywhere.largest() >= need)
                : new Shortfall.NotTogether(asked, need);
    }

    /**
     * Returns the resource name under which nodes offer the same GPUs for sharing, such as
     * {@code nvidia.com/gpu.shared}. Returns null if no node that the pod may use has this resource. Also returns null
     * if the resource is a fallback, because the search has already considered it.
     */
    private @Nullable ResourceName sharedName(ResourceName asked) {
        ResourceName shared = new ResourceName(asked.value() + MigProfile.SHARED_SUFFIX);
        boolean isFallback = candidates.of(asked).resources().contains(shared);
        return isFallback || usable(shared).nodes() == 0 ? null : shared;
    }

    /**
     * Adds the name of a similar resource that the pod could request instead. A denial does not need this name, because
     * its message lists all offered resources.
     */
    private Shortfall withAlikeName(Shortfall why) {
        return why instanceof Shortfall.NoNode(ResourceName asked, long need, var shared) && shared == null
                ? new Shortfall.NoNode(asked, need, alikeName(asked))
                : why;
    }

    private @Nullable ResourceName alikeName(ResourceName asked) {
        List<ResourceName> chain = candidates.of(asked).resources();
        return cluster.devices().stream()
                .filter(name -> AlikeGpuNames.are(asked, name) && !chain.contains(name))
                .filter(name -> usable(name).nodes() > 0)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private Exhaustion exhaustion(ResourceName asked, ResourceName given, Amounts total) {
        long need = request.needOf(asked, given);
        FreeCount count = free(given);
        if (count.free() < need) {
            return new Exhaustion.TooFewFree(count, need);
        }
        Amounts alone = Amounts.of(given, need);
        if (!isFree(alone)) {
            Optional<FreeCount> usable = usableNow(given);
            return new Exhaustion.NoNodeHasEnough(usable.orElse(count), need, usable.isEmpty());
        }
        return shortBeside(alone, total)
                .<Exhaustion>map(other -> new Exhaustion.ShortBeside(count, need, other, total.get(other)))
                .orElseGet(() -> new Exhaustion.NoNodeHasAll(count));
    }

    /**
     * Returns the first resource of {@code total} that no node has free together with {@code alone}.
     *
     * @param alone the needed amount of the GPU resource; at least one node has this amount free
     * @param total the amounts of all resources that the pod uses on its node
     */
    private Optional<ResourceName> shortBeside(Amounts alone, Amounts total) {
        List<ResourceName> found = new ArrayList<>(1);
        // Each resource requires a search of all nodes, so pods with very many resources are not examined.
        boolean few = total.size() <= MOST_LOOKED_FOR;
        var _ = few
                && total.anyMatch((name, amount) -> {
                    boolean isShort = amount > 0 && !isFree(alone.max(Amounts.of(name, amount)));
                    return isShort && found.add(name);
                });
        return found.stream().findFirst();
    }

    private boolean isFree(Amounts amounts) {
        return capacity.isFree(amounts, request.pod().constraints());
    }

    /** Returns the free amount of the resource on all nodes together. */
    private FreeCount free(ResourceName resource) {
        ClusterSnapshotAllocatable offered = cluster.allocatableOf(resource);
        return new FreeCount(
                resource, capacity.freeOf(resource), offered.total(), offered.nodes(), capacity.isUncertain(resource));
    }

    /** Returns the free amount on the nodes that the pod may use now; empty if none of them has the resource. */
    private Optional<FreeCount> usableNow(ResourceName resource) {
        FreeCapacity.UsableDevices usable =
                capacity.usableNow(resource, request.pod().constraints());
        return usable.nodes() == 0
                ? Optional.empty()
                : Optional.of(new FreeCount(
                        resource, usable.free(), usable.total(), usable.nodes(), capacity.isUncertain(resource)));
    }

    /** Returns the GPU resources that are free on at least one node, in alphabetical order. */
    private List<ResourceName> freeGpus() {
        return cluster.devices().stream()
                .filter(request.isGpu())
                .filter(name -> capacity.freeOf(name) > 0)
                .sorted()
                .toList();
    }

    private Offer offer(ResourceName resource) {
        return offer(resource, usable(resource));
    }

    private static Offer offer(ResourceName resource, ClusterSnapshotAllocatable usable) {
        return new Offer(resource, usable.total(), usable.nodes());
    }

    /**
     * Returns how much of the new resource the nodes offer. Only nodes that the pod may use after the replacement
     * count.
     */
    private Offer offer(PodRequestReplacement move) {
        return offer(
                move.given(),
                cluster.allocatableOf(
                        move.given(),
                        PodRequestReplacement.constraints(request.pod().constraints(), List.of(move))));
    }

    private ClusterSnapshotAllocatable usable(ResourceName resource) {
        return cluster.allocatableOf(resource, request.pod().constraints());
    }

    /**
     * Returns the GPU resources that are offered on nodes that the pod may use. The requested resource and its fallback
     * chain come first.
     */
    private List<Offer> offers(ResourceName asked) {
        return relevant(asked, cluster.devices().stream().filter(request.isGpu()))
                .map(this::offer)
                .filter(offer -> offer.nodes() > 0)
                .toList();
    }

    /** Sorts the resources: first the requested one and its fallback chain, then all others in alphabetical order. */
    private Stream<ResourceName> relevant(ResourceName asked, Stream<ResourceName> names) {
        List<ResourceName> chain = candidates.of(asked).resources();
        return names.sorted(Comparator.comparingInt(
                        (ResourceName name) -> chain.contains(name) ? chain.indexOf(name) : chain.size())
                .thenComparing(Comparator.naturalOrder()));
    }
}
