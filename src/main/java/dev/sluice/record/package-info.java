/**
 * What is told of a review after its answer has left: immutable, and bounded whatever the pod's author wrote, so that a
 * consumer may keep as many records as it has counted room for.
 */
@NullMarked
package dev.sluice.record;

import org.jspecify.annotations.NullMarked;
