/**
 * The configuration as a record that cannot be wrong, and the loader that reports everything wrong in a file at once.
 *
 * <p>The core never reads configuration; it is given a policy. Nothing in here is secret: keys and certificates are
 * named by their paths and never opened.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.config;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
