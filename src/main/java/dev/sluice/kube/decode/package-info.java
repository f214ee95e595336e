/**
 * Decoders that convert the JSON of lists and objects, such as nodes, pods, LimitRanges and objects of DRA, to their
 * metadata and to the types of {@code cluster}. They limit what is kept of an object, and share equal values in memory.
 */
@NullMarked
package dev.sluice.kube.decode;

import org.jspecify.annotations.NullMarked;
