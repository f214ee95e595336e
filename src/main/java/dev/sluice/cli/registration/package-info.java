/**
 * The registration of Sluice in a cluster. The package reads the webhooks that call Sluice, and determines whether the
 * API server sends a pod to one of them. Data that the user may not read is left out.
 */
@NullMarked
package dev.sluice.cli.registration;

import org.jspecify.annotations.NullMarked;
