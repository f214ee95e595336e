/**
 * What comes in over a port before anybody looks at what it says: connections, handshakes, heads, answers that nobody
 * reads, and the memory that bodies take.
 *
 * <p>Each has a limit and a deadline, and where a limit is reached the oldest one that does nothing useful ends, so
 * that a newcomer is served.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.intake;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
