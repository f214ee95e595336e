/**
 * The result of a decision: the verdict with its reason, the causes (such as a shortfall or an exhaustion), the trace
 * of all candidates, and the wording of the sentences that users read.
 */
@NullMarked
package dev.sluice.admission.verdict;

import org.jspecify.annotations.NullMarked;
