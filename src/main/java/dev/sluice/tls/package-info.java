/** Creates, reads and checks certificates and keys in PEM and DER, and contains the TLS settings of the servers. */
@NullMarked
package dev.sluice.tls;

import org.jspecify.annotations.NullMarked;
