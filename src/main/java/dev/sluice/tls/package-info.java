/** Certificates, keys and TLS options of the servers: this package creates, reads and checks them. */
@NullMarked
package dev.sluice.tls;

import org.jspecify.annotations.NullMarked;
