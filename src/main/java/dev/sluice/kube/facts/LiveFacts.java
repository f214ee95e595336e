package dev.sluice.kube.facts;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.kube.facts.FactKindList.KindResult;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The facts of a live cluster that was listed once.
 *
 * @param items the objects that were read, by kind, in the form in which they can be written to a file
 */
public record LiveFacts(ClusterFacts facts, Map<ClusterFactKind, CollectedItems> items) {

    static LiveFacts of(List<KindResult> results, FactBudget budget, Optional<Instant> now, String cluster, String name)
            throws ClusterStateException {
        if (results.stream().allMatch(KindResult.KindFailed.class::isInstance)) {
            throw new ClusterStateException("nothing of " + cluster + " can be listed: " + reason(results.getFirst())
                    + "; try kubectl get nodes, or name a file with --cluster-snapshot");
        }
        return joined(results, budget, now, name);
    }

    private static String reason(KindResult result) {
        return switch (result) {
            case KindResult.KindFailed failed -> failed.kind().plural() + ": " + failed.why();
            case KindResult.KindListed _ -> "";
        };
    }

    private static LiveFacts joined(List<KindResult> results, FactBudget budget, Optional<Instant> now, String name) {
        FactsCollector facts = new FactsCollector(budget, /* copies= */ 1);
        facts.named(name);
        now.ifPresent(facts::collectedAt);
        Map<ClusterFactKind, CollectedItems> items = new EnumMap<>(ClusterFactKind.class);
        for (KindResult result : results) {
            switch (result) {
                case KindResult.KindListed listed -> {
                    facts.addAll(listed.facts());
                    items.put(listed.kind(), listed.items());
                }
                case KindResult.KindFailed failed -> facts.failed(failed.kind(), failed.why());
            }
        }
        return new LiveFacts(facts.facts(), items);
    }
}
