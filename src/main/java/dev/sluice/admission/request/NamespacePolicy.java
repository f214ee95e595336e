package dev.sluice.admission.request;

import dev.sluice.admission.injection.Injector;

/** The policy, the injector and the LimitRanges that apply to the pods of one namespace. */
public record NamespacePolicy(Policy policy, Injector injector, String namespace, NamespaceLimits limits) {

    /** Creates a policy for a namespace without LimitRanges. */
    public NamespacePolicy(Policy policy, Injector injector, String namespace) {
        this(policy, injector, namespace, NamespaceLimits.NONE);
    }

    /** Returns a policy without injection and without LimitRanges. */
    public static NamespacePolicy of(Policy policy) {
        return new NamespacePolicy(policy, Injector.NONE, "");
    }

    /** Returns a copy of this policy without injection. */
    public NamespacePolicy withoutInjection() {
        return new NamespacePolicy(policy, Injector.NONE, namespace, limits);
    }
}
