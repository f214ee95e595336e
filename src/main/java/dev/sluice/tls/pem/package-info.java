/** Certificates and private keys in PEM files. */
@NullMarked
package dev.sluice.tls.pem;

import org.jspecify.annotations.NullMarked;
