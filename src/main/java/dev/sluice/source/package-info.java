/** What a cluster that is watched and one that is read from a file have in common. */
@NullMarked
@CheckReturnValue
package dev.sluice.source;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
