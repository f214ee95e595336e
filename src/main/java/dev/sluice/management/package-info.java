/** Probes, metrics and the API, on a port of their own. No decision waits for them. */
@NullMarked
package dev.sluice.management;

import org.jspecify.annotations.NullMarked;
