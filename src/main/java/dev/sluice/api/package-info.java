/**
 * The data that Sluice publishes over HTTP and with -o json: decisions, problems, capacity and the OpenAPI document.
 */
@NullMarked
package dev.sluice.api;

import org.jspecify.annotations.NullMarked;
