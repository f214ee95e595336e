package dev.sluice.injection.rule;

import dev.sluice.quantity.ResourceName;

/** The rule that applies to a pod, with its place in the injection file. */
public record RuleInUse(String type, ResourceName resource, Source source, InjectionRule rule) {

    public String key() {
        String map = switch (source) {
            case Source.OfNamespace own -> "namespaceResourceMap." + own.namespace();
            case Source.Default _ -> "resourceMap";
        };
        return map + '.' + type + '.' + resource;
    }

    /** The part of the file from which the rule comes. */
    public sealed interface Source {
        record OfNamespace(String namespace) implements Source {}

        record Default() implements Source {}
    }
}
