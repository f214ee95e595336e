/** The report on capacity: Allocatable, Allocated, Reserved and Available of each resource. */
@NullMarked
package dev.sluice.cluster.capacity;

import org.jspecify.annotations.NullMarked;
