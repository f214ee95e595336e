package dev.sluice.kube.client;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An RBAC permission that the gateway needs at the API server.
 *
 * @param group the API group of the resource; empty for the core group
 * @param namespace the namespace in which the right is needed; null for all namespaces, or for a cluster-scoped
 *     resource
 * @param name the name of the only object for which the right is needed; null for all objects
 * @param neededFor the configuration key or the part of the gateway that needs the right
 * @param grantedBy the manifests that grant the right
 */
public record OwnRequiredRight(
        String verb,
        String group,
        String resource,
        @Nullable String namespace,
        @Nullable String name,
        String neededFor,
        String grantedBy) {

    /** Returns a right in all namespaces for each of these verbs. */
    public static List<OwnRequiredRight> everywhere(
            String group, String resource, String neededFor, String grantedBy, String... verbs) {
        return Arrays.stream(verbs)
                .map(verb -> new OwnRequiredRight(verb, group, resource, null, null, neededFor, grantedBy))
                .toList();
    }

    /** Returns the same right for one namespace or one object only. */
    public OwnRequiredRight of(@Nullable String onlyNamespace, @Nullable String onlyName) {
        return new OwnRequiredRight(verb, group, resource, onlyNamespace, onlyName, neededFor, grantedBy);
    }

    /** Returns the right in words, for example {@code list pods}. */
    public String words() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group) + (name == null ? "" : " " + name)
                + (namespace == null ? "" : " in " + namespace);
    }
}
