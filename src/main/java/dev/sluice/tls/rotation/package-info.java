/**
 * The renewal of certificates that the gateway makes itself: what to do next, given what is stored, trusted and served.
 *
 * <p>Each replica asks for itself, and writes only over what it has read, so no leader is needed.
 */
@NullMarked
package dev.sluice.tls.rotation;

import org.jspecify.annotations.NullMarked;
