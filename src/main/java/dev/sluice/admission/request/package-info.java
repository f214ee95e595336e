/** The input of a decision: the resources that a pod requests, and the policy and fallback chains of its namespace. */
@NullMarked
package dev.sluice.admission.request;

import org.jspecify.annotations.NullMarked;
