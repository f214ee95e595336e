/** The policy section of the configuration. */
@NullMarked
@CheckReturnValue
package dev.sluice.config.policy;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
