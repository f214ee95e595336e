/**
 * The registration of Sluice in a cluster: the webhooks that call it with their label selectors, and whether the API
 * server asks about a pod. Data that the user may not read is left out.
 */
@NullMarked
package dev.sluice.cli.registration;

import org.jspecify.annotations.NullMarked;
