/**
 * Certificates and keys in PEM and DER, and the TLS settings of the servers: this package creates, reads and checks
 * them.
 */
@NullMarked
package dev.sluice.tls;

import org.jspecify.annotations.NullMarked;
