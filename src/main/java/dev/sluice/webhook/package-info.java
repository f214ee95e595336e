/**
 * The gateway: a review comes in over TLS, is decoded, decided from the newest snapshot, and answered. Ordinary reviews
 * stay on the request's own event loop; large ones are worked on beside it.
 *
 * <p>Every admission gets exactly one answer with its own uid, and no request waits on the network.
 */
@NullMarked
package dev.sluice.webhook;

import org.jspecify.annotations.NullMarked;
