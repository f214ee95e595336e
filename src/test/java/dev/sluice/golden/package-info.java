/** The cases of {@code src/test/resources/cases}. */
@NullMarked
package dev.sluice.golden;

import org.jspecify.annotations.NullMarked;
