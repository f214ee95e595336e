package dev.sluice.injection.rule;

import dev.sluice.quantity.ResourceName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Rules by the GPU type in the annotation of a pod and by the GPU resource that its containers request. */
public record GpuTypes(Map<String, Map<ResourceName, InjectionRule>> byType) {

    public static final GpuTypes NONE = new GpuTypes(Map.of());

    public GpuTypes {
        Map<String, Map<ResourceName, InjectionRule>> copy = new LinkedHashMap<>();
        byType.forEach((type, rules) -> copy.put(type, Collections.unmodifiableMap(new LinkedHashMap<>(rules))));
        byType = Collections.unmodifiableMap(copy);
    }

    Map<ResourceName, InjectionRule> of(String type) {
        return byType.getOrDefault(type, Map.of());
    }
}
