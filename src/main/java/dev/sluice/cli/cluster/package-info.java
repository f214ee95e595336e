/** The cluster that a command reads: a snapshot file or a live cluster. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
