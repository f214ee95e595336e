package dev.sluice.tls.selfmanaged;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The certificates in the Secret, in the form that {@link RotationPlan} uses. Each certificate is identified by its
 * fingerprint.
 *
 * @param authorities all authorities that clients should trust
 * @param signer the fingerprint of the authority whose private key is in the Secret; {@code authorities} contains this
 *     authority
 * @param leaf the server certificate
 */
record StoredCertificates(List<Authority> authorities, Optional<String> signer, Optional<Leaf> leaf) {

    public static final StoredCertificates NONE = new StoredCertificates(List.of(), Optional.empty(), Optional.empty());

    public StoredCertificates {
        authorities = List.copyOf(authorities);
    }

    /** An authority that clients should trust. */
    record Authority(String id, RotationLifespan life) {}

    /**
     * A server certificate.
     *
     * @param authority the fingerprint of the authority that has signed the certificate
     * @param coverage tells whether the certificate contains all names that it should contain
     */
    record Leaf(String id, String authority, RotationLifespan life, Coverage coverage) {}

    /** Tells whether a certificate contains all names by which clients call the gateway. */
    enum Coverage {
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

    /**
     * Returns the authority that can sign certificates at this time: its private key is in the Secret, and it is valid.
     * Returns empty if there is no such authority.
     */
    Optional<Authority> usableSigner(Instant now) {
        return authorities.stream()
                .filter(authority -> signer.equals(Optional.of(authority.id())))
                .filter(authority -> authority.life().holds(now))
                .findFirst();
    }

    /**
     * Returns the stored server certificate if it is valid at this time and one of the stored valid authorities has
     * signed it. Returns empty otherwise.
     */
    Optional<Leaf> usableLeaf(Instant now) {
        return leaf.filter(found -> found.life().holds(now) && valid(now).contains(found.authority()));
    }
}
