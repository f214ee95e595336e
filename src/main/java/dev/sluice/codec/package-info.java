/**
 * Streams JSON and YAML into the slim records of the core and back, keeping nothing that no decision reads.
 *
 * <p>Wrong types are collected as one problem per document, not thrown; only broken syntax throws.
 */
@NullMarked
@CheckReturnValue
package dev.sluice.codec;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
