/**
 * Limits what clients can use: the number of connections and the time in each of their phases, TLS handshakes, request
 * bodies, and the memory for bodies. Counts how often a limit was exceeded.
 */
@NullMarked
package dev.sluice.webhook.intake;

import org.jspecify.annotations.NullMarked;
