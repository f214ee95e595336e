/** A node as the API server describes it: its labels, its taints and its Allocatable. */
@NullMarked
@CheckReturnValue
package dev.sluice.node;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
