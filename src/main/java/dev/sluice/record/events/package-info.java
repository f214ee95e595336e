/**
 * What follows a decision at the API server: Kubernetes Events at pods and their owners, and reports of pods that
 * bypassed the gateway.
 */
@NullMarked
package dev.sluice.record.events;

import org.jspecify.annotations.NullMarked;
