/**
 * The data that Sluice publishes over HTTP and with {@code -o json}: decisions, capacity, diagnoses, bypassed pods and
 * the OpenAPI document. The HTTP server is in {@code management}.
 */
@NullMarked
package dev.sluice.api;

import org.jspecify.annotations.NullMarked;
