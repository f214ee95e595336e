/**
 * The configuration of the gateway and its injection file: the records of the configuration, and the readers of YAML
 * documents, which check sections, keys, ranges and other rules, and report all problems of a file at once with their
 * lines.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;
