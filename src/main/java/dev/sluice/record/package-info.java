/**
 * The record of a review, which is published after its answer has left, the most recent records, and the detection of
 * pods that no review decided about. All of it is plain data of bounded size.
 */
@NullMarked
package dev.sluice.record;

import org.jspecify.annotations.NullMarked;
