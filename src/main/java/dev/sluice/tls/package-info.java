/**
 * Certificates: makes them, reads them from PEM files, and turns a pair that was proved to belong together into the TLS
 * options of a server.
 *
 * <p>Bouncy Castle is touched by {@link CertificateAuthority} alone, so a serving process never loads it.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.tls;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
