/**
 * Access to files: a watcher that detects changes of files, streams that decompress gzip and limit the length, a writer
 * of private files, and the reasons why a file cannot be read. The formats of the files belong to the packages that use
 * this package.
 */
@NullMarked
package dev.sluice.files;

import org.jspecify.annotations.NullMarked;
