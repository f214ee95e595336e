package dev.sluice.admission;

import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.Move;
import dev.sluice.cluster.ClusterSnapshot;
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

/**
 * The candidates for each resource that a pod asks for: the resource itself and its fallback chain. This is the one
 * place that walks through them and through their combinations.
 */
final class FallbackCandidates {

    /** Beyond this the search would cost more than a decision may; real pods have fewer than ten combinations. */
    static final int MOST = 256;

    private final GpuRequest request;
    private final FallbackChains ofPolicy;
    private final FallbackChains chains;
    private final ClusterSnapshot cluster;
    private final Map<ResourceName, Row> rows = new HashMap<>(4);

    /** The policy says what counts as a GPU, even for a pod that has switched its fallback chains off. */
    FallbackCandidates(GpuRequest request, FallbackChains ofPolicy, ClusterSnapshot cluster) {
        this.request = request;
        this.ofPolicy = ofPolicy;
        boolean switchedOff = Objects.equals(request.pod().annotations().fallbackMode(), Verdicts.KEEP);
        this.chains = switchedOff ? FallbackChains.NONE : ofPolicy;
        this.cluster = cluster;
    }

    /** The candidates for one asked resource. Whether each is offered is found out when it is first asked for. */
    final class Row {
        private final List<ResourceName> resources = new ArrayList<>(4);
        private final Boolean[] offered;
        private final long need;

        private Row(ResourceName asked) {
            resources.add(asked);
            resources.addAll(chains.after(asked));
            offered = new Boolean[resources.size()];
            need = request.needOf(asked);
        }

        List<ResourceName> resources() {
            return resources;
        }

        /** How much of a candidate one node must have, whatever else the pod asks. */
        long need() {
            return need;
        }

        /** A node that the pod may use offers enough of this candidate. */
        boolean isOffered(int candidate) {
            Boolean known = offered[candidate];
            if (known == null) {
                ResourceName given = resources.get(candidate);
                known = cluster.offers(
                        Amounts.of(given, need),
                        request.pod()
                                .constraints()
                                .tolerating(resources.getFirst().value(), given.value()));
                offered[candidate] = known;
            }
            return known;
        }

        boolean isAnyOffered() {
            return countOffered(1) > 0;
        }

        private int countOffered(int most) {
            int count = 0;
            for (int i = 0; i < resources.size() && count < most; i++) {
                count += isOffered(i) ? 1 : 0;
            }
            return count;
        }
    }

    Row of(ResourceName asked) {
        return rows.computeIfAbsent(asked, Row::new);
    }

    boolean hasFallbacks(ResourceName asked) {
        return !chains.after(asked).isEmpty();
    }

    /** The pod has switched off the fallbacks that the policy has for this resource. */
    boolean areSwitchedOff(ResourceName asked) {
        return !hasFallbacks(asked) && !ofPolicy.after(asked).isEmpty();
    }

    /** The asked resources of which no candidate is offered. */
    List<ResourceName> hopeless() {
        List<ResourceName> hopeless = new ArrayList<>(request.resources());
        hopeless.removeIf(asked -> of(asked).isAnyOffered());
        return hopeless;
    }

    boolean areTooMany() {
        return product(asked -> 1 + chains.after(asked).size()) > MOST
                && product(asked -> of(asked).countOffered(MOST + 1)) > MOST;
    }

    /** {@link #MOST} + 1 stands for more; 0 if a factor is 0. */
    private int product(ToIntFunction<ResourceName> choices) {
        long product = 1;
        for (ResourceName asked : request.resources()) {
            int factor = choices.applyAsInt(asked);
            product = Math.min(product * factor, factor == 0 ? 0 : MOST + 1L);
        }
        return (int) product;
    }

    /** One node offers everything that the pod asks for after these moves. Each candidate is offered alone. */
    boolean areOfferedTogether(List<Move> moves) {
        // If one resource is the whole need, no search is necessary: its candidate is known to be offered.
        boolean isAlone =
                request.resources().size() == 1 && request.pod().overhead().isEmpty();
        return isAlone
                || cluster.offers(
                        request.need(Move.given(moves)),
                        Move.constraints(request.pod().constraints(), moves));
    }

    /**
     * Tries the combinations of offered candidates in lexicographic order, each as the moves that lead to it, until
     * {@code trial} yields something.
     */
    <T> Optional<T> first(Function<List<Move>, Optional<T>> trial) {
        // Without this, the combinations of the other resources would all be walked through in vain.
        boolean hasCombinations = hopeless().isEmpty();
        return hasCombinations ? first(trial, List.of(), 0) : Optional.empty();
    }

    private <T> Optional<T> first(Function<List<Move>, Optional<T>> trial, List<Move> moves, int depth) {
        if (depth == request.resources().size()) {
            return trial.apply(moves);
        }
        Row row = of(request.resources().get(depth));
        ResourceName asked = row.resources().getFirst();
        for (int i = 0; i < row.resources().size(); i++) {
            if (row.isOffered(i)) {
                ResourceName given = row.resources().get(i);
                Optional<T> found = first(trial, given.equals(asked) ? moves : with(moves, asked, given), depth + 1);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static List<Move> with(List<Move> moves, ResourceName asked, ResourceName given) {
        List<Move> more = new ArrayList<>(moves);
        more.add(new Move(asked, given));
        return more;
    }
}
