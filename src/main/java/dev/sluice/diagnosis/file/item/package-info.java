/** Reads single objects into the records of a diagnosis. */
@NullMarked
package dev.sluice.diagnosis.file.item;

import org.jspecify.annotations.NullMarked;
