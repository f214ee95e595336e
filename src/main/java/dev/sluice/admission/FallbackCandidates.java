package dev.sluice.admission;

import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * The candidates for each resource that a pod requests: the resource itself and its fallback chain. Only this class
 * iterates over the candidates and their combinations.
 */
final class FallbackCandidates {

    /**
     * The maximum number of combinations that are tried. Trying more combinations would take longer than a decision may
     * take. Ordinary pods have fewer than ten combinations.
     */
    static final int MOST = 256;

    private final GpuRequest request;
    private final FallbackChains ofPolicy;
    private final FallbackChains chains;
    private final ClusterSnapshot cluster;
    private final Map<ResourceName, Row> rows = new HashMap<>(4);

    /**
     * Creates the candidates.
     *
     * @param ofPolicy the fallback chains of the policy. They are not used if the pod has turned its fallbacks off
     */
    FallbackCandidates(GpuRequest request, FallbackChains ofPolicy, ClusterSnapshot cluster) {
        this.request = request;
        this.ofPolicy = ofPolicy;
        boolean switchedOff = Objects.equals(request.pod().annotations().fallbackMode(), SearchVerdicts.KEEP);
        this.chains = switchedOff ? FallbackChains.NONE : ofPolicy;
        this.cluster = cluster;
    }

    /**
     * The candidates for one requested resource. Whether a candidate is offered is determined only when the search asks
     * for it.
     */
    final class Row {
        private final List<ResourceName> resources = new ArrayList<>(4);
        private final Boolean[] offered;
        private final Boolean[] possible;

        private Row(ResourceName asked) {
            resources.add(asked);
            resources.addAll(chains.after(asked));
            offered = new Boolean[resources.size()];
            possible = new Boolean[resources.size()];
        }

        List<ResourceName> resources() {
            return resources;
        }

        /**
         * Returns the amount of this candidate that one node must have for the pod.
         *
         * @param candidate the index of the candidate in {@link #resources()}
         */
        long need(int candidate) {
            return request.needOf(resources.getFirst(), resources.get(candidate));
        }

        /** Returns true if a node that the pod may use offers enough of this candidate resource. */
        boolean isOffered(int candidate) {
            Boolean known = offered[candidate];
            if (known == null) {
                known = cluster.offers(amount(candidate), constraints(candidate));
                offered[candidate] = known;
            }
            return known;
        }

        /** Returns true if the candidate is offered, or if it is unknown whether DRA has enough devices for it. */
        boolean isPossible(int candidate) {
            Boolean known = possible[candidate];
            if (known == null) {
                known = isOffered(candidate) || cluster.mayOffer(amount(candidate), constraints(candidate));
                possible[candidate] = known;
            }
            return known;
        }

        private Amounts amount(int candidate) {
            return Amounts.of(resources.get(candidate), need(candidate));
        }

        private NodeConstraints constraints(int candidate) {
            return request.pod()
                    .constraints()
                    .tolerating(
                            resources.getFirst().value(),
                            resources.get(candidate).value());
        }

        boolean isAnyOffered() {
            return IntStream.range(0, resources.size()).anyMatch(this::isOffered);
        }

        private boolean isAnyPossible() {
            for (int candidate = 0; candidate < resources.size(); candidate++) {
                if (isPossible(candidate)) {
                    return true;
                }
            }
            return false;
        }

        private int countPossible() {
            return (int) IntStream.range(0, resources.size())
                    .filter(this::isPossible)
                    .limit(MOST + 1L)
                    .count();
        }
    }

    Row of(ResourceName asked) {
        return rows.computeIfAbsent(asked, Row::new);
    }

    boolean hasFallbacks(ResourceName asked) {
        return !chains.after(asked).isEmpty();
    }

    /** Returns true if the policy has fallbacks for this resource, but the pod has turned them off. */
    boolean areSwitchedOff(ResourceName asked) {
        return !hasFallbacks(asked) && !ofPolicy.after(asked).isEmpty();
    }

    /** Returns the requested resources for which no candidate is offered. */
    List<ResourceName> hopeless() {
        List<ResourceName> hopeless = new ArrayList<>(request.resources());
        hopeless.removeIf(asked -> of(asked).isAnyOffered());
        return hopeless;
    }

    boolean areTooMany() {
        return product(asked -> 1 + chains.after(asked).size()) > MOST
                && product(asked -> of(asked).countPossible()) > MOST;
    }

    /**
     * Returns the number of combinations, but at most {@link #MOST} + 1, so that it cannot overflow.
     *
     * @param choices returns the number of choices for a requested resource
     */
    private int product(ToIntFunction<ResourceName> choices) {
        long product = 1;
        for (ResourceName asked : request.resources()) {
            int factor = choices.applyAsInt(asked);
            product = Math.min(product * factor, factor == 0 ? 0 : MOST + 1L);
        }
        return (int) product;
    }

    /** Returns true if one node offers everything that the pod requests after these replacements. */
    boolean areOfferedTogether(List<PodRequestReplacement> moves) {
        for (PodRequestReplacement move : moves) {
            Row row = of(move.asked());
            if (!row.isOffered(row.resources().indexOf(move.given()))) {
                return false;
            }
        }
        // If the pod requests only one resource and has no overhead, nothing else has to fit on the node. An offered
        // candidate is then sufficient.
        boolean isAlone =
                request.resources().size() == 1 && request.pod().overhead().isEmpty();
        return isAlone
                || cluster.offers(
                        request.need(PodRequestReplacement.given(moves)),
                        PodRequestReplacement.constraints(request.pod().constraints(), moves));
    }

    /**
     * Returns true if it is unknown whether one node offers everything that the pod requests after these replacements.
     */
    boolean mayBeOfferedTogether(List<PodRequestReplacement> moves) {
        return cluster.mayOffer(
                request.need(PodRequestReplacement.given(moves)),
                PodRequestReplacement.constraints(request.pod().constraints(), moves));
    }

    /**
     * Tries the combinations of possible candidates until {@code trial} returns a result. The candidate of the last
     * requested resource changes most often. Each combination is passed to {@code trial} as the list of its
     * replacements.
     */
    <T> Optional<T> first(Function<List<PodRequestReplacement>, Optional<T>> trial) {
        // If one resource has no possible candidate, no combination is possible, and the other resources need not be
        // tried.
        for (ResourceName asked : request.resources()) {
            if (!of(asked).isAnyPossible()) {
                return Optional.empty();
            }
        }
        return first(trial, List.of(), 0);
    }

    private <T> Optional<T> first(
            Function<List<PodRequestReplacement>, Optional<T>> trial, List<PodRequestReplacement> moves, int depth) {
        if (depth == request.resources().size()) {
            return trial.apply(moves);
        }
        Row row = of(request.resources().get(depth));
        ResourceName asked = row.resources().getFirst();
        for (int i = 0; i < row.resources().size(); i++) {
            if (row.isPossible(i)) {
                ResourceName given = row.resources().get(i);
                Optional<T> found = first(trial, given.equals(asked) ? moves : with(moves, asked, given), depth + 1);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static List<PodRequestReplacement> with(
            List<PodRequestReplacement> moves, ResourceName asked, ResourceName given) {
        List<PodRequestReplacement> more = new ArrayList<>(moves);
        more.add(new PodRequestReplacement(asked, given));
        return more;
    }
}
