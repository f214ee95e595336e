/** The HTTP connection to the API server, and what its failures mean. */
@NullMarked
@CheckReturnValue
package dev.sluice.kube.transport;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
