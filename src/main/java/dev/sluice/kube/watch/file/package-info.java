/** The cluster state of a file, which is read again when the file changes. */
@NullMarked
package dev.sluice.kube.watch.file;

import org.jspecify.annotations.NullMarked;
