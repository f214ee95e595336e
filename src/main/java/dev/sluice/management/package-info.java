/** Probes, metrics and the API, on a port of their own; nothing here is asked while a pod waits. */
@NullMarked
@CheckReturnValue
package dev.sluice.management;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
