package dev.sluice.tls.selfmanaged;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The usable content of the Secret. Certificates are known by a name that is made of their content.
 *
 * @param authorities all that clients should trust
 * @param signer the one whose key is there; it is among them
 * @param leaf the certificate to serve
 */
record StoredCertificates(List<Authority> authorities, Optional<String> signer, Optional<Leaf> leaf) {

    public static final StoredCertificates NONE = new StoredCertificates(List.of(), Optional.empty(), Optional.empty());

    public StoredCertificates {
        authorities = List.copyOf(authorities);
    }

    /** An authority that clients should trust. */
    public record Authority(String id, Lifespan life) {}

    /**
     * A certificate of a server.
     *
     * @param authority the authority that has signed it
     * @param coverage whether it names all that it should
     */
    public record Leaf(String id, String authority, Lifespan life, Coverage coverage) {}

    /** Whether a certificate bears all names by which this gateway is called. */
    public enum Coverage {
        ALL_NAMES,
        NAMES_MISSING
    }

    Set<String> all() {
        return authorities.stream().map(Authority::id).collect(Collectors.toSet());
    }

    Set<String> valid(Instant now) {
        return authorities.stream()
                .filter(authority -> authority.life().holds(now))
                .map(Authority::id)
                .collect(Collectors.toSet());
    }

    /** The authority that can sign now. */
    Optional<Authority> usableSigner(Instant now) {
        return authorities.stream()
                .filter(authority -> signer.equals(Optional.of(authority.id())))
                .filter(authority -> authority.life().holds(now))
                .findFirst();
    }

    /** The certificate that clients accept if they trust the authorities. */
    Optional<Leaf> usableLeaf(Instant now) {
        return leaf.filter(found -> found.life().holds(now) && valid(now).contains(found.authority()));
    }
}
