/** What each part of the gateway counts. It is told on topics of the bus or observes from outside. */
@NullMarked
package dev.sluice.metrics.part;

import org.jspecify.annotations.NullMarked;
