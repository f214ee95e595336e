/** Nodes: their labels, their taints and their Allocatable. */
@NullMarked
package dev.sluice.cluster.node;

import org.jspecify.annotations.NullMarked;
