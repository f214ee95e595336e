/**
 * Decoders that convert the JSON of nodes, pods and LimitRanges to the types of {@code cluster}, the limits of what is
 * decoded, and the pools that share equal values.
 */
@NullMarked
package dev.sluice.kube.decode;

import org.jspecify.annotations.NullMarked;
