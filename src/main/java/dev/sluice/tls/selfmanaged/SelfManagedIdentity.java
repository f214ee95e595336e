package dev.sluice.tls.selfmanaged;

import dev.sluice.tls.CertifiedKey;
import java.security.cert.X509Certificate;

/** The certificate to serve with its key, and the authority that clients must trust to accept it. */
record SelfManagedIdentity(CertifiedKey pair, X509Certificate authority) {}
