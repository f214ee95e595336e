/**
 * The streaming JSON reader: parsers, a cursor, and a reader of texts that are JSON or YAML. Fields that nobody needs
 * are skipped or shortened, and no objects are created for them. This package knows nothing of Kubernetes.
 */
@NullMarked
package dev.sluice.json;

import org.jspecify.annotations.NullMarked;
