/** The management port: probes, metrics and the API. No decision waits for it. */
@NullMarked
package dev.sluice.management;

import org.jspecify.annotations.NullMarked;
