package dev.sluice.admission.request;

import dev.sluice.admission.injection.Injector;

/**
 * The configuration of all decisions. It is immutable, and a decision uses the same object from its beginning to its
 * end.
 *
 * @param generation the sequence number of this configuration. It begins with 1, and each change of the policies or the
 *     injector adds 1. Changes of the LimitRanges do not count
 */
public record ActivePolicy(long generation, Policies policies, Injector injector, LimitRanges limitRanges) {

    public static final ActivePolicy DEFAULT = first(Policies.DEFAULT, Injector.NONE);

    public static ActivePolicy first(Policies policies, Injector injector) {
        return new ActivePolicy(1, policies, injector, LimitRanges.NONE);
    }

    /**
     * Returns a policy with these contents and the next generation. If the contents are the same as before, returns
     * this policy.
     */
    public ActivePolicy with(Policies otherPolicies, Injector otherInjector) {
        return policies.equals(otherPolicies) && injector.equals(otherInjector)
                ? this
                : new ActivePolicy(generation + 1, otherPolicies, otherInjector, limitRanges);
    }

    /** Returns this policy with other LimitRanges. The generation stays the same. */
    public ActivePolicy limitedBy(LimitRanges others) {
        return new ActivePolicy(generation, policies, injector, others);
    }

    /**
     * Returns the policy for the namespace of an admission request. The namespace in the object is not used, because it
     * may be empty.
     */
    public NamespacePolicy forNamespace(String namespace) {
        return new NamespacePolicy(policies.forNamespace(namespace), injector, namespace, limitRanges.of(namespace));
    }
}
