/** What a pod asks for, as its review says it: containers, annotations and GPU requests. */
@NullMarked
@CheckReturnValue
package dev.sluice.request;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
