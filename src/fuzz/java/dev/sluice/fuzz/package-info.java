/**
 * Every decoder that reads bytes of others, under a coverage-guided fuzzer. A target is a class with a method
 * {@code fuzzerTestOneInput}; it stands in the package of what it tries, and its seeds in {@code src/fuzz/corpus}.
 */
@NullMarked
package dev.sluice.fuzz;

import org.jspecify.annotations.NullMarked;
