/** Verdicts about pods and findings about nodes: the diagnosis as a value. */
@NullMarked
package dev.sluice.diagnosis.verdict;

import org.jspecify.annotations.NullMarked;
