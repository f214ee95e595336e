package dev.sluice.admission.request;

import dev.sluice.cluster.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The LimitRanges by namespace. A namespace is left out if its LimitRanges mention no extended resource. */
public record LimitRanges(Map<String, NamespaceLimits> byNamespace) {

    public static final LimitRanges NONE = new LimitRanges(Map.of());

    public LimitRanges {
        byNamespace = Map.copyOf(byNamespace);
    }

    /**
     * Returns the LimitRanges with these rules.
     *
     * @param byName the rules of each LimitRange by its name, in the form {@code namespace/name}
     */
    public static LimitRanges of(Map<String, List<NamespaceLimitRangeRule>> byName) {
        Map<String, List<NamespaceLimitRangeRule>> byNamespace = new HashMap<>();
        byName.forEach((name, rules) -> {
            if (!rules.isEmpty()) {
                byNamespace
                        .computeIfAbsent(Pod.namespaceOf(name), _ -> new ArrayList<>())
                        .addAll(rules);
            }
        });
        Map<String, NamespaceLimits> limits = new HashMap<>();
        byNamespace.forEach((namespace, rules) -> limits.put(namespace, new NamespaceLimits(rules)));
        return new LimitRanges(limits);
    }

    NamespaceLimits of(String namespace) {
        return byNamespace.getOrDefault(namespace, NamespaceLimits.NONE);
    }
}
