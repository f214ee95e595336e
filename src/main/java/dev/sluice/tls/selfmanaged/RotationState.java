package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.selfmanaged.StoredCertificates.Leaf;
import java.util.Optional;

/**
 * The state of the certificates as one replica sees it.
 *
 * @param trusted the caBundle; empty if there is no webhook configuration, so that no API server calls the gateway
 * @param served the certificate that this replica serves
 */
record RotationState(StoredCertificates stored, Optional<TrustedAuthorities> trusted, Optional<Leaf> served) {}
