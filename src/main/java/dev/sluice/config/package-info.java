/**
 * The configuration of the gateway and its injection file, and the loader that reports all problems of a file at once.
 *
 * <p>The configuration holds no secrets: keys and certificates are named by their paths and are not opened here.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;
