package dev.sluice.admission;

import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What each asked resource may be exchanged for, and the search for the first combination that one node offers.
 *
 * @param candidates by asked resource, in the order of the pod; those that no node offers alone are left out
 */
record Combinations(
        GpuAsk ask, Chains chains, Map<ResourceName, List<ResourceName>> candidates, ClusterSnapshot cluster) {

    /** Beyond this the search would cost more than a decision may; real pods have fewer than ten. */
    static final int MOST = 256;

    static Combinations of(GpuAsk ask, Chains chains, ClusterSnapshot cluster) {
        Map<ResourceName, List<ResourceName>> candidates = new HashMap<>();
        for (ResourceName asked : ask.resources()) {
            candidates.put(asked, offeredAlone(asked, ask, chains, cluster));
        }
        return new Combinations(ask, chains, candidates, cluster);
    }

    private static List<ResourceName> offeredAlone(
            ResourceName asked, GpuAsk ask, Chains chains, ClusterSnapshot cluster) {
        long need = ask.needOf(asked);
        List<ResourceName> offered = new ArrayList<>();
        offered.add(asked);
        offered.addAll(chains.after(asked));
        offered.removeIf(
                given -> !cluster.offers(Amounts.of(given, need), ask.pod().constraints()));
        return offered;
    }

    /** How many there are, 0 when some asked resource has no candidate left; {@link #MOST} + 1 stands for more. */
    int count() {
        long product = 1;
        for (List<ResourceName> choices : candidates.values()) {
            product = Math.min(product * choices.size(), choices.isEmpty() ? 0 : MOST + 1L);
        }
        return (int) product;
    }

    /** The asked resources for which nothing in their chain is offered. */
    List<ResourceName> hopeless() {
        return ask.resources().stream()
                .filter(asked -> choicesFor(asked).isEmpty())
                .toList();
    }

    boolean areTooMany() {
        return count() > MOST;
    }

    /** The first in lexicographic order that one node offers as a whole. */
    Optional<Map<ResourceName, ResourceName>> firstOffered() {
        return first(this::isOffered);
    }

    boolean isOffered(Map<ResourceName, ResourceName> given) {
        return cluster.offers(
                ask.need(name -> given.getOrDefault(name, name)), ask.pod().constraints());
    }

    /** The first in lexicographic order that is {@code wanted}. */
    Optional<Map<ResourceName, ResourceName>> first(Predicate<Map<ResourceName, ResourceName>> wanted) {
        return first(wanted, new HashMap<>(), 0);
    }

    private Optional<Map<ResourceName, ResourceName>> first(
            Predicate<Map<ResourceName, ResourceName>> wanted, Map<ResourceName, ResourceName> chosen, int depth) {
        if (depth == ask.resources().size()) {
            return wanted.test(chosen) ? Optional.of(Map.copyOf(chosen)) : Optional.empty();
        }
        ResourceName asked = ask.resources().get(depth);
        for (ResourceName given : choicesFor(asked)) {
            chosen.put(asked, given);
            Optional<Map<ResourceName, ResourceName>> found = first(wanted, chosen, depth + 1);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** What is offered alone, of {@code asked} and its chain. */
    List<ResourceName> choicesFor(ResourceName asked) {
        return candidates.getOrDefault(asked, List.of());
    }
}
