/** Those who are told of every decision from outside, and the log of decisions. */
@NullMarked
@CheckReturnValue
package dev.sluice.observe;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
