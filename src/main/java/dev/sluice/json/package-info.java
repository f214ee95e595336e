/**
 * The streaming JSON reader: parsers and a cursor, which skip or shorten fields that are not read without creating
 * objects for them. This package knows nothing of Kubernetes.
 */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
