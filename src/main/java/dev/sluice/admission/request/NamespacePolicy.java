package dev.sluice.admission.request;

import dev.sluice.admission.injection.Injector;

/** The policy and the injector for the pods of one namespace. */
public record NamespacePolicy(Policy policy, Injector injector, String namespace) {

    /** A policy without injection. */
    public static NamespacePolicy of(Policy policy) {
        return new NamespacePolicy(policy, Injector.NONE, "");
    }
}
