/** Vert.x's own numbers: its event bus, its HTTP servers and its pools of threads. */
@NullMarked
package dev.sluice.metrics.vertx;

import org.jspecify.annotations.NullMarked;
