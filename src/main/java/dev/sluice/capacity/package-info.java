/** The report on capacity: Allocatable, Allocated, Reserved and Available of each resource. */
@NullMarked
@CheckReturnValue
package dev.sluice.capacity;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
