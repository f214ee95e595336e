package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rule for one GPU type and one GPU resource.
 *
 * @param resources the resources to inject, without duplicates, in the order of the injection file
 * @param annotations the annotations that the pod gets, ordered by key
 */
public record InjectionRule(List<InjectionResourceRule> resources, Map<String, String> annotations) {

    public InjectionRule {
        resources = List.copyOf(resources);
        annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
        long names =
                resources.stream().map(InjectionResourceRule::name).distinct().count();
        if (names < resources.size()) {
            throw new IllegalArgumentException("a resource is named twice: " + resources);
        }
    }

    public Optional<InjectionResourceRule> of(ResourceName name) {
        return resources.stream().filter(rule -> rule.name().equals(name)).findFirst();
    }
}
