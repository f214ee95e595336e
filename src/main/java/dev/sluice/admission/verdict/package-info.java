/**
 * The result of a decision: the verdict with its reason, and the causes of the verdict (such as a shortfall or an
 * exhaustion of a resource). The trace shows the result for each candidate resource. The wording creates the sentences
 * that users read.
 */
@NullMarked
package dev.sluice.admission.verdict;

import org.jspecify.annotations.NullMarked;
