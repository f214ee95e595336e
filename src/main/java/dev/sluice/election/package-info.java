/**
 * Leader election: in availability mode only the holder of a Lease decides (decision 7), and a rollout hands the Lease
 * over (decision 11).
 *
 * <p>Two processes never hold it at once, even if their clocks differ, as long as these run at about the same speed.
 */
@NullMarked
package dev.sluice.election;

import org.jspecify.annotations.NullMarked;
