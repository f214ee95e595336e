/** The immutable snapshot of all nodes by which gateways decide. */
@NullMarked
package dev.sluice.cluster.snapshot;

import org.jspecify.annotations.NullMarked;
