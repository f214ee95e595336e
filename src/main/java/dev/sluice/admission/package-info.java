/**
 * Decides which resource a pod gets. A search tries the requested resource first and then the resources of its fallback
 * chain. An explanation shows why the search ended with its result. The input of a decision is in {@code request}, and
 * its result is in {@code verdict}.
 */
@NullMarked
package dev.sluice.admission;

import org.jspecify.annotations.NullMarked;
