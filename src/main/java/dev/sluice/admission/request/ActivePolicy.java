package dev.sluice.admission.request;

import dev.sluice.admission.injection.Injector;

/**
 * Everything that decisions follow besides the cluster, as one immutable value. A decision uses the same generation
 * from its beginning to its end.
 *
 * @param generation 1 at the start, and one more after every change of the configuration
 */
public record ActivePolicy(long generation, Policies policies, Injector injector, LimitRanges limitRanges) {

    public static final ActivePolicy DEFAULT = first(Policies.DEFAULT, Injector.NONE);

    public static ActivePolicy first(Policies policies, Injector injector) {
        return new ActivePolicy(1, policies, injector, LimitRanges.NONE);
    }

    /** The next generation, or this one if nothing is different. */
    public ActivePolicy with(Policies otherPolicies, Injector otherInjector) {
        return policies.equals(otherPolicies) && injector.equals(otherInjector)
                ? this
                : new ActivePolicy(generation + 1, otherPolicies, otherInjector, limitRanges);
    }

    /** The same generation of the configuration, with what the cluster has of LimitRanges now. */
    public ActivePolicy limitedBy(LimitRanges others) {
        return new ActivePolicy(generation, policies, injector, others);
    }

    /** The policy for the namespace of a request. The namespace in the object does not count. */
    public NamespacePolicy forNamespace(String namespace) {
        return new NamespacePolicy(policies.forNamespace(namespace), injector, namespace, limitRanges.of(namespace));
    }
}
