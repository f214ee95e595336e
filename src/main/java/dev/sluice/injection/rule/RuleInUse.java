package dev.sluice.injection.rule;

import dev.sluice.quantity.ResourceName;

/** The rule that holds for a pod, and how it was found. */
public record RuleInUse(String type, ResourceName resource, Source source, InjectionRule rule) {

    /** Where it stands in the file. */
    public String key() {
        String map = switch (source) {
            case Source.OfNamespace own -> "namespaceResourceMap." + own.namespace();
            case Source.Default _ -> "resourceMap";
        };
        return map + '.' + type + '.' + resource;
    }

    /** Which part of the file it comes from. */
    public sealed interface Source {
        record OfNamespace(String namespace) implements Source {}

        record Default() implements Source {}
    }
}
