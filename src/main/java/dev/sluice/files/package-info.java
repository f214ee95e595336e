/**
 * The watcher that notices when a file has changed, and the failure that says why a file cannot be read. Each room that
 * reads a file knows what is in it.
 */
@NullMarked
package dev.sluice.files;

import org.jspecify.annotations.NullMarked;
