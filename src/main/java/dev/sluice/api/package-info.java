/**
 * The documents and reports that Sluice publishes over HTTP and with {@code -o json}: decisions, capacity and
 * allocations, diagnoses, explanations, pods that bypassed the gateway, events of the stream and the OpenAPI document.
 * The HTTP server is in {@code management}.
 */
@NullMarked
package dev.sluice.api;

import org.jspecify.annotations.NullMarked;
