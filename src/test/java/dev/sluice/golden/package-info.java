/** The cases of {@code src/test/resources/cases}, and the review that is built around the pod of each. */
@NullMarked
package dev.sluice.golden;

import org.jspecify.annotations.NullMarked;
