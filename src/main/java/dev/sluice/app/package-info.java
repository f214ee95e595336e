/**
 * Assembles the gateway from its verticles and parts, selects the sources of its cluster and its certificates, lists
 * the rights that the parts need, and contains the clock of the process and the warm-up that runs before the first
 * review.
 */
@NullMarked
package dev.sluice.app;

import org.jspecify.annotations.NullMarked;
