package dev.sluice.policy;

import dev.sluice.injection.Injector;

/**
 * All that decisions follow beside the cluster, as one immutable whole: a decision that has begun by one generation
 * ends by it.
 *
 * @param generation 1 at the start, one more with every change that was read
 */
public record ActivePolicy(long generation, Policies policies, Injector injector) {

    public static final ActivePolicy DEFAULT = first(Policies.DEFAULT, Injector.NONE);

    public static ActivePolicy first(Policies policies, Injector injector) {
        return new ActivePolicy(1, policies, injector);
    }

    /** The next generation, or this one where nothing is different. */
    public ActivePolicy with(Policies otherPolicies, Injector otherInjector) {
        return policies.equals(otherPolicies) && injector.equals(otherInjector)
                ? this
                : new ActivePolicy(generation + 1, otherPolicies, otherInjector);
    }

    /** What holds for the namespace of a request, whatever the object in it says. */
    public NamespacePolicy forNamespace(String namespace) {
        return new NamespacePolicy(policies.forNamespace(namespace), injector, namespace);
    }
}
