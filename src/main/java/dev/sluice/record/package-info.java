/**
 * The record of a review, which is published after its answer has been sent, the most recent records, and the detection
 * of pods that bypassed the gateway. All of it is plain data of bounded size.
 */
@NullMarked
package dev.sluice.record;

import org.jspecify.annotations.NullMarked;
