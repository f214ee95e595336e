/**
 * Receives reviews over TLS, decodes them, decides by the newest snapshot of the cluster, and answers them. Ordinary
 * reviews stay on the event loop of the request; worker threads handle large reviews.
 *
 * <p>Every admission gets exactly one answer with its own uid, and no request waits for the API server.
 */
@NullMarked
package dev.sluice.webhook;

import org.jspecify.annotations.NullMarked;
