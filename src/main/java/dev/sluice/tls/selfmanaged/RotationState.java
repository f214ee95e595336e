package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.selfmanaged.StoredCertificates.Leaf;
import java.util.Optional;

/**
 * What one replica sees.
 *
 * @param trusted empty if there is no webhook configuration, and so nobody who calls
 * @param served what this replica itself serves
 */
record RotationState(StoredCertificates stored, Optional<TrustedAuthorities> trusted, Optional<Leaf> served) {}
