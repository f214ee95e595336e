package dev.sluice.admission.request;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The base policy and the policies of single namespaces. Exactly one policy applies to a pod. If there is a policy with
 * the exact name of the pod's namespace, it applies. Otherwise the first policy in the file whose pattern matches the
 * namespace applies. If no pattern matches, the base policy applies.
 *
 * @param namespaces the policies of namespaces in the order of the file. Each is complete: it includes the values of
 *     the base policy that it does not override
 */
public record Policies(Policy base, Map<NamespaceGlob, Policy> namespaces) {

    public static final Policies DEFAULT = new Policies(Policy.DEFAULT, Map.of());

    public Policies {
        namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
    }

    /**
     * Returns the policy for the namespace of an admission request. The namespace in the object is not used, because it
     * may be empty.
     */
    public Policy forNamespace(String namespace) {
        Policy named = namespaces.get(new NamespaceGlob(namespace));
        if (named != null) {
            return named;
        }
        for (Map.Entry<NamespaceGlob, Policy> overlay : namespaces.entrySet()) {
            if (overlay.getKey().matches(namespace)) {
                return overlay.getValue();
            }
        }
        return base;
    }

    /**
     * Returns true if some namespace is in availability mode. In that case the GPU pods of all namespaces must have
     * reservations, so that free amounts are correct.
     */
    public boolean reserve() {
        // This loop runs for each review, and a stream would allocate memory.
        for (Policy overlay : namespaces.values()) {
            if (overlay.mode() == Policy.Mode.AVAILABILITY) {
                return true;
            }
        }
        return base.mode() == Policy.Mode.AVAILABILITY;
    }

    /** Returns true if verdicts are only recorded, and not enforced, in at least one namespace. */
    public boolean observe() {
        return all().anyMatch(Policy::observes);
    }

    /** Returns the base policy and the policies of the namespaces. */
    public Stream<Policy> all() {
        return Stream.concat(Stream.of(base), namespaces.values().stream());
    }
}
