/**
 * The search for what would let a pod run: on each node the sets of obstacles that are in its way, and the best of
 * them.
 */
@NullMarked
package dev.sluice.diagnosis.path;

import org.jspecify.annotations.NullMarked;
