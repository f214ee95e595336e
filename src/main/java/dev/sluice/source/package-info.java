/** The status and the failure of a source of the cluster's state: an API server or a file. */
@NullMarked
@CheckReturnValue
package dev.sluice.source;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
