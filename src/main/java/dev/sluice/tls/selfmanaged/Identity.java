package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.CertifiedKey;
import java.security.cert.X509Certificate;

/** The pair to serve, and the authority that clients must trust for it. */
record Identity(CertifiedKey pair, X509Certificate authority) {}
