/** The changes of nodes and pods that a watch or a snapshot file publishes, in their order. */
@NullMarked
@CheckReturnValue
package dev.sluice.event;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
