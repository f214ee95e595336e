/**
 * The input of a decision: what a pod to be created requests, at first and when the webhook is reinvoked, with its
 * annotations and the fields that its author wrote; and the active policy with its patterns of namespaces, the fallback
 * chains and the LimitRanges of the namespace.
 */
@NullMarked
package dev.sluice.admission.request;

import org.jspecify.annotations.NullMarked;
