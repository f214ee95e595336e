/**
 * What is recorded of a review after its answer has left, the most recent records, and the detection of pods that no
 * review of this gateway decided about; all of it is plain data of bounded size.
 */
@NullMarked
package dev.sluice.record;

import org.jspecify.annotations.NullMarked;
