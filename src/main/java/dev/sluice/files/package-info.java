/**
 * The watcher that notices changes of files, the streams that read gzipped files and limit the length of files, the
 * writer of private files, and the reasons why a file cannot be read. The packages that read and write files know the
 * content of these files.
 */
@NullMarked
package dev.sluice.files;

import org.jspecify.annotations.NullMarked;
