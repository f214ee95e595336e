/**
 * The gateway: a review arrives over TLS, is decoded, decided by the newest snapshot, and answered. Ordinary reviews
 * stay on the event loop of the request; worker threads handle large ones.
 *
 * <p>Every admission gets exactly one answer with its own uid, and no request waits for the API server.
 */
@NullMarked
package dev.sluice.webhook;

import org.jspecify.annotations.NullMarked;
