package dev.sluice.decide;

import dev.sluice.policy.FallbackChains;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.GpuRequest;
import dev.sluice.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** What each asked resource may be exchanged for, and the search for the first combination that one node offers. */
public final class Combinations {

    /** Beyond this the search would cost more than a decision may; real pods have fewer than ten. */
    public static final int MOST = 256;

    private final GpuRequest ask;
    private final FallbackChains chains;
    private final ClusterSnapshot cluster;
    /** By asked resource; each is looked for when it is first wanted. */
    private final Map<ResourceName, List<ResourceName>> offeredAlone = new HashMap<>();

    public Combinations(GpuRequest ask, FallbackChains chains, ClusterSnapshot cluster) {
        this.ask = ask;
        this.chains = chains;
        this.cluster = cluster;
    }

    public FallbackChains chains() {
        return chains;
    }

    /** What is offered alone, of {@code asked} and its chain. */
    public List<ResourceName> choicesFor(ResourceName asked) {
        return offeredAlone.computeIfAbsent(asked, _ -> {
            Predicate<ResourceName> isOfferedAlone = isOfferedFor(asked);
            List<ResourceName> offered = new ArrayList<>();
            offered.add(asked);
            offered.addAll(chains.after(asked));
            offered.removeIf(isOfferedAlone.negate());
            return offered;
        });
    }

    private Predicate<ResourceName> isOfferedFor(ResourceName asked) {
        long need = ask.needOf(asked);
        return given -> cluster.offers(Amounts.of(given, need), ask.pod().constraints());
    }

    /** How many there are, 0 when some asked resource has no candidate left; {@link #MOST} + 1 stands for more. */
    public int count() {
        return product(asked -> choicesFor(asked).size());
    }

    public boolean areTooMany() {
        return product(asked -> 1 + chains.after(asked).size()) > MOST && count() > MOST;
    }

    private int product(ToIntFunction<ResourceName> choices) {
        long product = 1;
        for (ResourceName asked : ask.resources()) {
            int factor = choices.applyAsInt(asked);
            product = Math.min(product * factor, factor == 0 ? 0 : MOST + 1L);
        }
        return (int) product;
    }

    /** The asked resources for which nothing in their chain is offered. */
    List<ResourceName> hopeless() {
        List<ResourceName> hopeless = new ArrayList<>(ask.resources());
        hopeless.removeIf(asked -> !choicesFor(asked).isEmpty());
        return hopeless;
    }

    /** The first in lexicographic order that one node offers as a whole. */
    Optional<Map<ResourceName, ResourceName>> firstOffered() {
        // Where one resource is all of the need, what is offered alone is offered as a whole.
        boolean isAlone = ask.resources().size() == 1 && ask.pod().overhead().isEmpty();
        return isAlone ? firstOfferedAlone(ask.resources().getFirst()) : first(this::isOffered);
    }

    private Optional<Map<ResourceName, ResourceName>> firstOfferedAlone(ResourceName asked) {
        Predicate<ResourceName> isOffered = isOfferedFor(asked);
        if (isOffered.test(asked)) {
            return Optional.of(Map.of(asked, asked));
        }
        for (ResourceName given : chains.after(asked)) {
            if (isOffered.test(given)) {
                return Optional.of(Map.of(asked, given));
            }
        }
        offeredAlone.put(asked, List.of());
        return Optional.empty();
    }

    public boolean isOffered(Map<ResourceName, ResourceName> given) {
        return cluster.offers(
                ask.need(name -> given.getOrDefault(name, name)), ask.pod().constraints());
    }

    /** The first in lexicographic order that is {@code wanted}. */
    public Optional<Map<ResourceName, ResourceName>> first(Predicate<Map<ResourceName, ResourceName>> wanted) {
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
}
