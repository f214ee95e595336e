/** Nodes and pods as JSON objects of the API, read into the types of the core. */
@NullMarked
@CheckReturnValue
package dev.sluice.objects;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
