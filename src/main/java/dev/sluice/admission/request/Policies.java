package dev.sluice.admission.request;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The base policy, and the overlays for some namespaces. At most one overlay applies to a namespace: an exact name
 * takes precedence over a pattern, and the first matching pattern in the file over later ones.
 *
 * @param namespaces the overlays in the order of the file; each is complete and includes the values that it inherits
 */
public record Policies(Policy base, Map<NamespaceGlob, Policy> namespaces) {

    public static final Policies DEFAULT = new Policies(Policy.DEFAULT, Map.of());

    public Policies {
        namespaces = Collections.unmodifiableMap(new LinkedHashMap<>(namespaces));
    }

    /**
     * Returns the policy for the namespace of an admission request. The namespace in the object is ignored, because it
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
     * Returns true if some namespace is in availability mode. All GPU pods must then reserve their resources, so that
     * free amounts are known.
     */
    public boolean reserve() {
        // A loop is used here because it runs for each review, and a stream would allocate memory.
        for (Policy overlay : namespaces.values()) {
            if (overlay.mode() == Policy.Mode.AVAILABILITY) {
                return true;
            }
        }
        return base.mode() == Policy.Mode.AVAILABILITY;
    }

    /** Returns the base policy and the policies of the namespaces. */
    public Stream<Policy> all() {
        return Stream.concat(Stream.of(base), namespaces.values().stream());
    }
}
