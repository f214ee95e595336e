/** The changes of nodes and pods that a watch or a snapshot file publishes, in their order. */
@NullMarked
package dev.sluice.cluster.event;

import org.jspecify.annotations.NullMarked;
