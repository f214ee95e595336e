/** What clients check in a certificate chain: its order, its signatures and its names. It uses the JDK only. */
@NullMarked
package dev.sluice.tls.chain;

import org.jspecify.annotations.NullMarked;
