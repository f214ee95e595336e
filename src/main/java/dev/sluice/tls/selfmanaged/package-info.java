/**
 * Self-managed certificates (decision 18): the replicas create them, store them in a Secret, publish their authorities
 * in the caBundle of the webhook, and replace them by a rotation in steps.
 */
@NullMarked
package dev.sluice.tls.selfmanaged;

import org.jspecify.annotations.NullMarked;
