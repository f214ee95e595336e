/**
 * The consumers of decision records that work with the cluster: one writes Kubernetes Events at pods and their owners,
 * and one finds pods that bypassed the gateway.
 */
@NullMarked
package dev.sluice.record.events;

import org.jspecify.annotations.NullMarked;
