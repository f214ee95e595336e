/** The commands that make and show certificates. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.certs;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
