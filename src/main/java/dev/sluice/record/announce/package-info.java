/**
 * Kubernetes Events that say at a pod, and at what made it, why it was given another GPU resource than it asks for.
 *
 * <p>Invariants: no review and no event loop waits for the API server; what waits is bounded, and what is dropped is
 * counted; a pod that nobody created gets no Event.
 */
@NullMarked
package dev.sluice.record.announce;

import org.jspecify.annotations.NullMarked;
