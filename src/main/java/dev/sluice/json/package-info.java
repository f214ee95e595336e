/**
 * The streaming JSON reader, which skips fields that are not read without creating objects for them. This package knows
 * nothing of Kubernetes.
 */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
