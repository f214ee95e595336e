/**
 * The gateway: it receives a review over TLS, decodes it, decides it by the newest snapshot or has it forwarded to the
 * replica that decides, answers it, and publishes the record of it. Ordinary reviews stay on the event loop of the
 * request; worker threads handle large reviews.
 *
 * <p>Every admission gets exactly one answer with its own uid, and no request waits for the API server.
 */
@NullMarked
package dev.sluice.webhook;

import org.jspecify.annotations.NullMarked;
