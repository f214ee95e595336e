/**
 * Certificates that the gateway makes itself: kept in a Secret, trusted through the caBundle of the webhook (decision
 * 18). Nothing of it is loaded while the certificates come from files.
 */
@NullMarked
package dev.sluice.tls.selfmanaged;

import org.jspecify.annotations.NullMarked;
