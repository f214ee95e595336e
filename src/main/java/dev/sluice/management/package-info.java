/**
 * The management port: the HTTP server for probes, metrics, the API with its event stream, and the console, with
 * settings, host names, limits for the rate of requests, the digest of the policy in its status, and pages of other
 * replicas; and the check whether the owner of a bearer token may read the port, or only the part of it that is about
 * one namespace. No decision waits for it. The content of the answers comes from {@code api} and {@code metrics}.
 */
@NullMarked
package dev.sluice.management;

import org.jspecify.annotations.NullMarked;
