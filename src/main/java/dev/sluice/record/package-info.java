/**
 * The record of a review, which is published after its answer has been sent, with all that is recorded in it about the
 * pod, its containers, the injection and the policy; the batches of records, the events of the stream, the tally of
 * decisions, and the pods that bypassed the gateway. All of it is plain data of bounded size.
 */
@NullMarked
package dev.sluice.record;

import org.jspecify.annotations.NullMarked;
