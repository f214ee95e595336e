/** Files that are read again when they change. */
@NullMarked
package dev.sluice.reload;

import org.jspecify.annotations.NullMarked;
