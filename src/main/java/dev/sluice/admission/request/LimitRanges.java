package dev.sluice.admission.request;

import java.util.Map;

/** The LimitRanges of all namespaces; a namespace without any that speaks of extended resources is not in it. */
public record LimitRanges(Map<String, NamespaceLimits> byNamespace) {

    public static final LimitRanges NONE = new LimitRanges(Map.of());

    public LimitRanges {
        byNamespace = Map.copyOf(byNamespace);
    }

    NamespaceLimits of(String namespace) {
        return byNamespace.getOrDefault(namespace, NamespaceLimits.NONE);
    }
}
