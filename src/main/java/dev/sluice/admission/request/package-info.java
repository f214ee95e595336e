/** The input of a decision: what a pod asks for, and the policy and fallback chains of its namespace. */
@NullMarked
package dev.sluice.admission.request;

import org.jspecify.annotations.NullMarked;
