/**
 * The configuration of the gateway, and the loader that reports all problems of a file at once.
 *
 * <p>The configuration holds no secrets: keys and certificates are named by their paths and are not opened here.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.config;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
