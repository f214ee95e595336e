/** Nodes: their labels, their taints and their Allocatable. */
@NullMarked
@CheckReturnValue
package dev.sluice.node;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
