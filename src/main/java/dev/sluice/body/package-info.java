/** Bodies of requests, which share one memory budget, and the answers to them. */
@NullMarked
package dev.sluice.body;

import org.jspecify.annotations.NullMarked;
