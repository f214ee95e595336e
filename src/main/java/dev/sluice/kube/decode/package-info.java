/**
 * Decoders that convert the JSON of nodes, pods, LimitRanges and objects of DRA to the types of {@code cluster}. They
 * limit what is kept of an object, and share equal values in memory.
 */
@NullMarked
package dev.sluice.kube.decode;

import org.jspecify.annotations.NullMarked;
