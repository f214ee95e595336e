package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules in the injection file. The file has the format of the plugin gpuinjector, which Sluice replaces.
 *
 * @param defaults the key {@code resourceMap}: the rules for all namespaces
 * @param namespaces the key {@code namespaceResourceMap}: the rules for single namespaces
 * @param skipped the key {@code namespaceWhiteList}: the namespaces in which nothing is injected
 */
public record InjectionRules(GpuTypes defaults, Map<String, GpuTypes> namespaces, Set<String> skipped) {

    public static final InjectionRules NONE = new InjectionRules(GpuTypes.NONE, Map.of(), Set.of());

    public InjectionRules {
        namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
        skipped = Set.copyOf(skipped);
    }

    /** Returns the GPU resources for which a GPU type has rules in a namespace. */
    public Set<ResourceName> keys(String namespace, String type) {
        if (skipped.contains(namespace)) {
            return Set.of();
        }
        Set<ResourceName> keys = new TreeSet<>(defaults.of(type).keySet());
        keys.addAll(ofNamespace(namespace).of(type).keySet());
        return keys;
    }

    /**
     * Returns the rule for this type and resource in the namespace. If the namespace has no such rule, returns the
     * default rule.
     */
    public Optional<RuleInUse> rule(String namespace, String type, ResourceName resource) {
        InjectionRule own = ofNamespace(namespace).of(type).get(resource);
        if (own != null) {
            return Optional.of(new RuleInUse(type, resource, new RuleInUse.Source.OfNamespace(namespace), own));
        }
        return Optional.ofNullable(defaults.of(type).get(resource))
                .map(rule -> new RuleInUse(type, resource, new RuleInUse.Source.Default(), rule));
    }

    /** Returns the reason why no rule applies to a pod of this type in this namespace. */
    public NotInjected whyNot(String namespace, String type) {
        if (isEmpty()) {
            return new NotInjected.NoRules(type);
        }
        if (skipped.contains(namespace)) {
            return new NotInjected.NamespaceSkipped(namespace);
        }
        Set<ResourceName> keys = keys(namespace, type);
        if (!keys.isEmpty()) {
            return new NotInjected.OtherResources(type, List.copyOf(keys));
        }
        Set<String> known = new TreeSet<>(defaults.byType().keySet());
        known.addAll(ofNamespace(namespace).byType().keySet());
        return new NotInjected.UnknownType(type, List.copyOf(known));
    }

    private GpuTypes ofNamespace(String namespace) {
        return namespaces.getOrDefault(namespace, GpuTypes.NONE);
    }

    /** Returns true if there are no rules at all. */
    public boolean isEmpty() {
        return defaults.byType().isEmpty() && namespaces.isEmpty();
    }

    /**
     * The rules for each GPU type and each GPU resource. An annotation of the pod names the GPU type, and the
     * containers of the pod request the GPU resource.
     */
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

    /** The rule that applies to a pod, and the place of the rule in the injection file. */
    public record RuleInUse(String type, ResourceName resource, Source source, InjectionRule rule) {

        public String key() {
            String map = switch (source) {
                case Source.OfNamespace own -> "namespaceResourceMap." + own.namespace();
                case Source.Default _ -> "resourceMap";
            };
            return map + '.' + type + '.' + resource;
        }

        /** The part of the injection file that contains a rule. */
        public sealed interface Source {
            record OfNamespace(String namespace) implements Source {}

            record Default() implements Source {}
        }
    }
}
