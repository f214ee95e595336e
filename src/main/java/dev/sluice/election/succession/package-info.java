/** The handover of the Lease during a rollout. */
@NullMarked
package dev.sluice.election.succession;

import org.jspecify.annotations.NullMarked;
