/**
 * The configuration of the gateway and its injection file. The package contains the records of the configuration and
 * the readers of YAML documents. The readers check sections, keys, ranges and other rules, and report all problems of a
 * file at once with their lines.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;
