/**
 * Creates and rotates self-managed certificates (decision 18). The replicas create the certificates, store them in a
 * Secret, publish their authorities in the caBundle of the webhook, and replace them step by step.
 */
@NullMarked
package dev.sluice.tls.selfmanaged;

import org.jspecify.annotations.NullMarked;
