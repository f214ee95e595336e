/** Lists, watch events and statuses as the API server writes them. */
@NullMarked
@CheckReturnValue
package dev.sluice.kube.list;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
