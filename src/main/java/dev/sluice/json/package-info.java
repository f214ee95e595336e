/**
 * The streaming JSON reader: parsers and a cursor. Fields that nobody needs are skipped or shortened, and no objects
 * are created for them. This package knows nothing of Kubernetes.
 */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
