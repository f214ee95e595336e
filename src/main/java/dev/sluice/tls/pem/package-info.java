/** Certificates and private keys in PEM files. */
@NullMarked
@CheckReturnValue
package dev.sluice.tls.pem;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
