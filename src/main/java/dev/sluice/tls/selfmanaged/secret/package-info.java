/** The Secret and the caBundle in which certificates live that the gateway makes itself. */
@NullMarked
package dev.sluice.tls.selfmanaged.secret;

import org.jspecify.annotations.NullMarked;
