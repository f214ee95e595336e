package dev.sluice.record;

import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Comparator;
import java.util.Set;

/**
 * Identifies the decisions that are counted together.
 *
 * @param chain the requested resource, which identifies a chain (the list of its substitutes); empty if the pod could
 *     not be decoded. If the pod requests several resources, it is the first one that is replaced or not available. If
 *     there is none, it is the alphabetically first resource of the first container
 */
public record TalliedChain(String namespace, String chain, Policy.Enforcement enforcement)
        implements Comparable<TalliedChain> {

    /** Stands for all namespaces, or all chains of a namespace, that are not counted separately. */
    public static final String OTHER = "(other)";

    /** The longest name of a resource that the API server accepts: a prefix of 253 characters and a name of 63. */
    private static final int LONGEST_CHAIN = 317;

    private static final Comparator<TalliedChain> ORDER = Comparator.comparing(TalliedChain::namespace)
            .thenComparing(TalliedChain::chain)
            .thenComparing(TalliedChain::enforcement);

    public TalliedChain {
        namespace = RecordedReviewHead.kept(namespace);
        chain = chain.length() <= LONGEST_CHAIN ? chain : OTHER;
    }

    static TalliedChain of(DecisionRecord decision) {
        return new TalliedChain(
                decision.pod().head().namespace(),
                chain(decision),
                decision.basis().enforcement());
    }

    private static String chain(DecisionRecord decision) {
        if (!decision.moves().isEmpty()) {
            return decision.moves().getFirst().asked().value();
        }
        if (!decision.candidates().isEmpty()) {
            return decision.candidates().getFirst().asked().value();
        }
        return decision.pod().containers().isEmpty()
                ? ""
                : lowest(decision.pod().containers().getFirst().asked().keySet());
    }

    private static String lowest(Set<ResourceName> names) {
        String lowest = "";
        for (ResourceName name : names) {
            if (lowest.isEmpty() || name.value().compareTo(lowest) < 0) {
                lowest = name.value();
            }
        }
        return lowest;
    }

    TalliedChain asOtherChain() {
        return new TalliedChain(namespace, OTHER, enforcement);
    }

    TalliedChain asOtherNamespace() {
        return new TalliedChain(OTHER, OTHER, enforcement);
    }

    @Override
    public int compareTo(TalliedChain other) {
        return ORDER.compare(this, other);
    }
}
