/** The injection file. */
@NullMarked
package dev.sluice.config.injection;

import org.jspecify.annotations.NullMarked;
