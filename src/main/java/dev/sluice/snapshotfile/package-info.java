/** A cluster that is read from a file, and read again when the file changes. */
@NullMarked
@CheckReturnValue
package dev.sluice.snapshotfile;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
