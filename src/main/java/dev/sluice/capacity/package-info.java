/** The report on capacity: what each resource has as Allocatable, Allocated, Reserved and Available. */
@NullMarked
@CheckReturnValue
package dev.sluice.capacity;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
