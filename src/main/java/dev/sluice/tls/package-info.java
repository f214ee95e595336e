/** Certificates, keys and TLS options of the servers: issuing, reading and checking them. */
@NullMarked
package dev.sluice.tls;

import org.jspecify.annotations.NullMarked;
