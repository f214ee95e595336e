package dev.sluice.admission.request;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The base policy and its overlays for some namespaces. At most one overlay applies to a namespace: an exact name beats
 * a glob, and the first glob in the file beats the others.
 *
 * @param namespaces each complete with what it inherits, in the order of the file
 */
public record Policies(Policy base, Map<NamespaceGlob, Policy> namespaces) {

    public static final Policies DEFAULT = new Policies(Policy.DEFAULT, Map.of());

    public Policies {
        namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
    }

    /** The policy for the namespace of the request. The namespace in the object does not count. */
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

    /** True if some namespace is decided by what is free, so that all GPU pods must reserve what they take. */
    public boolean reserve() {
        // A stream would be made for each review.
        for (Policy overlay : namespaces.values()) {
            if (overlay.mode() == Policy.Mode.AVAILABILITY) {
                return true;
            }
        }
        return base.mode() == Policy.Mode.AVAILABILITY;
    }

    /** The base and the policies of namespaces. */
    public Stream<Policy> all() {
        return Stream.concat(Stream.of(base), namespaces.values().stream());
    }
}
