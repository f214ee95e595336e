/** The result of a decision: the verdict and its causes as data, and the sentences that users read. */
@NullMarked
package dev.sluice.admission.verdict;

import org.jspecify.annotations.NullMarked;
