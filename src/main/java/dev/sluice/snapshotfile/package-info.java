/** The cluster state of a file, which is read again when the file changes. */
@NullMarked
@CheckReturnValue
package dev.sluice.snapshotfile;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
