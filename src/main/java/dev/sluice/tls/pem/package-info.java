/** PEM files: the certificates and private keys that they hold. */
@NullMarked
@CheckReturnValue
package dev.sluice.tls.pem;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
