/**
 * The watcher that notices changes of files, the reader of gzipped and of too long files, the writer of private files,
 * and the reasons why a file cannot be read. The packages that read and write files know the content of these files.
 */
@NullMarked
package dev.sluice.files;

import org.jspecify.annotations.NullMarked;
