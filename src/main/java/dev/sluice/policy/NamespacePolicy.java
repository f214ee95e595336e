package dev.sluice.policy;

import dev.sluice.injection.Injector;

/** What holds for the pods of one namespace: its policy, and what is injected there. */
public record NamespacePolicy(Policy policy, Injector injector, String namespace) {

    /** A policy by itself, where nothing is injected. */
    public static NamespacePolicy of(Policy policy) {
        return new NamespacePolicy(policy, Injector.NONE, "");
    }
}
