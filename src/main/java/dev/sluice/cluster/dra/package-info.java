/**
 * Devices that are allocated through dynamic resource allocation (DRA): DeviceClasses, ResourceSlices, ResourceClaims,
 * and how many devices of a class the scheduler can allocate on a node. If the gateway does not know an answer, the
 * answer is {@link dev.sluice.cluster.dra.DraCertainty#MAYBE}.
 */
@NullMarked
package dev.sluice.cluster.dra;

import org.jspecify.annotations.NullMarked;
