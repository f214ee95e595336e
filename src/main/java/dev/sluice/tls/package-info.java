/**
 * Certificates: makes them, reads them from PEM files, and turns a pair that was proved to belong together into the TLS
 * options of a server.
 *
 * <p>Only {@link CertificateAuthority} uses Bouncy Castle, so that a serving process never loads it (decision 15).
 */
@NullMarked
@CheckReturnValue
package dev.sluice.tls;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
