package dev.sluice.admission.request;

import java.util.Map;

/** The LimitRanges of all namespaces. A namespace is missing here if its LimitRanges mention no extended resources. */
public record LimitRanges(Map<String, NamespaceLimits> byNamespace) {

    public static final LimitRanges NONE = new LimitRanges(Map.of());

    public LimitRanges {
        byNamespace = Map.copyOf(byNamespace);
    }

    NamespaceLimits of(String namespace) {
        return byNamespace.getOrDefault(namespace, NamespaceLimits.NONE);
    }
}
