/** The decoders that turn the JSON of nodes and pods into the types of {@code cluster}. */
@NullMarked
package dev.sluice.kube.decode;

import org.jspecify.annotations.NullMarked;
