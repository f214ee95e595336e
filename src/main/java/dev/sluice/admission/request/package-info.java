/**
 * The input of a decision: the resources and annotations of a pod to be created, and the policy, the fallback chains
 * and the LimitRanges of its namespace.
 */
@NullMarked
package dev.sluice.admission.request;

import org.jspecify.annotations.NullMarked;
