/**
 * The management port: the HTTP server for probes, metrics, the API with its event stream, and the console, with
 * settings, host names, limits for the rate of requests, and pages of other replicas. No decision waits for it. The
 * content of the answers comes from {@code api} and {@code metrics}.
 */
@NullMarked
package dev.sluice.management;

import org.jspecify.annotations.NullMarked;
