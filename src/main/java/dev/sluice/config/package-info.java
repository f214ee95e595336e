/**
 * The configuration of the gateway and its injection file, and the reader that reports all problems of a file at once
 * with their lines.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;
