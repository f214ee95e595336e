package dev.sluice.kube.facts;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.doctor.facts.QuotaFacts;
import dev.sluice.doctor.facts.QuotaFacts.QuotaScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a ResourceQuota that a diagnosis needs. */
record QuotaItem(
        String apiVersion,
        String kind,
        ItemMeta metadata,
        @Nullable QuotaSpecItem spec,
        @Nullable QuotaStatusItem status)
        implements ClusterItem {

    QuotaItem {
        metadata = metadata == null ? ItemMeta.NONE : metadata;
    }

    record QuotaSpecItem(
            @FactQuantities @Nullable Map<String, String> hard,
            List<String> scopes,
            @Nullable ScopeSelectorItem scopeSelector) {}

    record ScopeSelectorItem(List<ScopeItem> matchExpressions) {}

    record ScopeItem(String scopeName, String operator, List<String> values) {}

    record QuotaStatusItem(
            @FactQuantities @Nullable Map<String, String> hard,
            @FactQuantities @Nullable Map<String, String> used) {}

    QuotaFacts facts() throws MalformedItem {
        Map<String, String> byStatus = status == null ? null : status.hard();
        Map<String, String> bySpec = spec == null ? null : spec.hard();
        return new QuotaFacts(
                metadata.namespace(),
                metadata.name(),
                quantities("hard", byStatus == null ? bySpec : byStatus),
                quantities("used", status == null ? null : status.used()),
                scopes());
    }

    private List<QuotaScope> scopes() {
        List<QuotaScope> scopes = new ArrayList<>();
        if (spec != null) {
            spec.scopes().forEach(scope -> scopes.add(new QuotaScope(scope, "Exists", List.of())));
        }
        if (spec != null && spec.scopeSelector() != null) {
            spec.scopeSelector()
                    .matchExpressions()
                    .forEach(scope -> scopes.add(new QuotaScope(scope.scopeName(), scope.operator(), scope.values())));
        }
        return scopes;
    }

    private static Map<String, Quantity> quantities(String field, @Nullable Map<String, String> texts)
            throws MalformedItem {
        Map<String, Quantity> quantities = new HashMap<>();
        for (Map.Entry<String, String> entry :
                texts == null ? Map.<String, String>of().entrySet() : texts.entrySet()) {
            quantities.put(
                    entry.getKey(),
                    Quantity.parse(entry.getValue())
                            .orElseThrow(() -> new MalformedItem(
                                    field + "." + entry.getKey() + " is not a quantity such as 1 or 2Gi")));
        }
        return quantities;
    }
}
