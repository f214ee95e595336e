/** Reads single objects into the records of a diagnosis. */
@NullMarked
package dev.sluice.factsfile.item;

import org.jspecify.annotations.NullMarked;
