/** Files that are read again when they change. */
@NullMarked
package dev.sluice.files;

import org.jspecify.annotations.NullMarked;
