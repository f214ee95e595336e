/** How often something may be done. */
@NullMarked
package dev.sluice.pace;

import org.jspecify.annotations.NullMarked;
