/**
 * The composition of the gateway from its verticles and parts, the sources of its cluster and its certificates, and the
 * warm-up that runs before the first review.
 */
@NullMarked
package dev.sluice.app;

import org.jspecify.annotations.NullMarked;
