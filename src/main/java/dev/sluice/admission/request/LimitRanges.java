package dev.sluice.admission.request;

import java.util.Map;

/**
 * The LimitRanges of all namespaces. The map has no entry for a namespace whose LimitRanges do not mention extended
 * resources.
 */
public record LimitRanges(Map<String, NamespaceLimits> byNamespace) {

    public static final LimitRanges NONE = new LimitRanges(Map.of());

    public LimitRanges {
        byNamespace = Map.copyOf(byNamespace);
    }

    NamespaceLimits of(String namespace) {
        return byNamespace.getOrDefault(namespace, NamespaceLimits.NONE);
    }
}
