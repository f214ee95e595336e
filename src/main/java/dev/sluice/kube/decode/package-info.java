/** Decoders that convert the JSON of nodes and pods to the types of {@code cluster}. */
@NullMarked
package dev.sluice.kube.decode;

import org.jspecify.annotations.NullMarked;
