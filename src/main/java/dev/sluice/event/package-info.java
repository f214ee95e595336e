/** What a watch or a snapshot file tells about nodes and pods, in the order in which it happened. */
@NullMarked
@CheckReturnValue
package dev.sluice.event;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
