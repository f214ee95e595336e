/**
 * The consumers of decision records that use the API server: one writes Kubernetes Events about decisions to pods and
 * their owners, and one finds pods that bypassed the gateway.
 */
@NullMarked
package dev.sluice.record.events;

import org.jspecify.annotations.NullMarked;
