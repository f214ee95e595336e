/**
 * Limits what clients of the webhook port can use: accepted connections and their phases, TLS handshakes, time, request
 * bodies with their content type, and the memory for bodies. It counts the abuse of these limits.
 */
@NullMarked
package dev.sluice.webhook.intake;

import org.jspecify.annotations.NullMarked;
