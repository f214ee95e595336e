/**
 * Certificates that the gateway creates itself, stores in a Secret and publishes in the caBundle of the webhook
 * (decision 18).
 */
@NullMarked
package dev.sluice.tls.selfmanaged;

import org.jspecify.annotations.NullMarked;
