/** Reads the facts of a diagnosis from files that kubectl wrote, item by item, so that only slim records stay. */
@NullMarked
package dev.sluice.diagnosis.file;

import org.jspecify.annotations.NullMarked;
