/** Files that are read again when they change. */
@NullMarked
package dev.sluice.config.reload;

import org.jspecify.annotations.NullMarked;
