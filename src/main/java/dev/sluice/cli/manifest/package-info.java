/** The manifests of users, turned into the pods that the API server would send to the gateway. */
@NullMarked
@CheckReturnValue
package dev.sluice.cli.manifest;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
