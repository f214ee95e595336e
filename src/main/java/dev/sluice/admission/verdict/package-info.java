/** The result of a decision: what happens to the pod and why, as data, and the sentences in which users read it. */
@NullMarked
package dev.sluice.admission.verdict;

import org.jspecify.annotations.NullMarked;
