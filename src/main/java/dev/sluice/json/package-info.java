/**
 * The streaming JSON reader, which skips what nobody needs without creating objects for it. It knows nothing of
 * Kubernetes.
 */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
