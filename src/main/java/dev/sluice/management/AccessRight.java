package dev.sluice.management;

import dev.sluice.text.DnsLabel;
import java.util.Optional;

/**
 * The right that a request needs.
 *
 * @param path the nonResourceURL that the owner of the token must be allowed to get
 * @param namespace the namespace that the request is about; empty if there is none. If the owner may create pods in
 *     this namespace, the right to the path is not needed
 */
record AccessRight(String path, Optional<String> namespace) {

    /**
     * Checks the namespace. A valid name is an RFC 1123 label. An empty name would mean all namespaces, so it is not
     * valid.
     */
    AccessRight {
        if (namespace.filter(name -> !isNamespace(name)).isPresent()) {
            throw new IllegalArgumentException("a namespace cannot have this name");
        }
    }

    /** Creates the right to a path. */
    static AccessRight toPath(String path) {
        return new AccessRight(path, Optional.empty());
    }

    /** Returns true if a namespace can have this name. */
    static boolean isNamespace(String name) {
        return DnsLabel.is(name);
    }
}
