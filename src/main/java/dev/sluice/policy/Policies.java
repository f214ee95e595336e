package dev.sluice.policy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The base policy and its overlays for some namespaces. At most one overlay applies to a namespace: an exact name beats
 * a glob, and the first glob in the file beats the others.
 */
public final class Policies {

    public static final Policies DEFAULT = new Policies(Policy.DEFAULT, Map.of());

    private final Policy base;
    private final Map<NamespaceGlob, Policy> written;
    private final Map<String, Policy> exact = new LinkedHashMap<>();
    private final List<Map.Entry<NamespaceGlob, Policy>> globs;

    /** A base, and the policies of namespaces, each complete with what it inherits, in the order of the file. */
    public Policies(Policy base, Map<NamespaceGlob, Policy> namespaces) {
        this.base = base;
        this.written = new LinkedHashMap<>(namespaces);
        namespaces.forEach((glob, policy) -> {
            if (glob.isExact()) {
                exact.put(glob.pattern(), policy);
            }
        });
        this.globs = namespaces.entrySet().stream()
                .filter(entry -> !entry.getKey().isExact())
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    public Policy base() {
        return base;
    }

    /** The policy for the namespace of the request. The namespace in the object does not count. */
    public Policy forNamespace(String namespace) {
        Policy named = exact.get(namespace);
        if (named != null) {
            return named;
        }
        for (Map.Entry<NamespaceGlob, Policy> glob : globs) {
            if (glob.getKey().matches(namespace)) {
                return glob.getValue();
            }
        }
        return base;
    }

    /** True if some namespace is decided by what is free, so that all GPU pods must reserve what they take. */
    public boolean reserve() {
        return all().anyMatch(policy -> policy.mode() == Policy.Mode.AVAILABILITY);
    }

    /** The base and the policies of namespaces. */
    public Stream<Policy> all() {
        return Stream.concat(Stream.of(base), written.values().stream());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Policies that && base.equals(that.base) && written.equals(that.written);
    }

    @Override
    public int hashCode() {
        return 31 * base.hashCode() + written.hashCode();
    }

    @Override
    public String toString() {
        return "Policies[base=" + base + ", namespaces=" + written + "]";
    }
}
