/**
 * TLS of servers: issues certificates, reads them and their keys from PEM files, and makes the options of a server.
 *
 * <p>Only {@link CertificateAuthority} uses Bouncy Castle, so that a serving process never loads it (decision 15).
 */
@NullMarked
package dev.sluice.tls;

import org.jspecify.annotations.NullMarked;
