package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.selfmanaged.StoredCertificates.Leaf;
import java.util.Optional;

/**
 * The certificates that a replica has read from the Secret and the caBundle, and the certificate that it serves.
 *
 * @param trusted the authorities that clients trust; empty if there is no webhook configuration. No API server calls
 *     the gateway in that case
 * @param served the certificate that this replica serves
 */
record RotationState(StoredCertificates stored, Optional<CaBundleAuthorities> trusted, Optional<Leaf> served) {}
