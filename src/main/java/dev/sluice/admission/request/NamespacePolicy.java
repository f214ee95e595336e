package dev.sluice.admission.request;

import dev.sluice.admission.injection.Injector;

/** The policy, the injector and the LimitRanges for the pods of one namespace. */
public record NamespacePolicy(Policy policy, Injector injector, String namespace, NamespaceLimits limits) {

    /** The policy of a namespace without LimitRanges. */
    public NamespacePolicy(Policy policy, Injector injector, String namespace) {
        this(policy, injector, namespace, NamespaceLimits.NONE);
    }

    /** A policy without injection. */
    public static NamespacePolicy of(Policy policy) {
        return new NamespacePolicy(policy, Injector.NONE, "");
    }

    /** The same, where nothing is injected. */
    public NamespacePolicy withoutInjection() {
        return new NamespacePolicy(policy, Injector.NONE, namespace, limits);
    }
}
