/**
 * The HTTP connection to the API server: lists, watches, single objects and credentials, and the meaning of its
 * failures. What the objects contain is known to {@code kube.decode} and {@code kube.facts}.
 */
@NullMarked
package dev.sluice.kube.client;

import org.jspecify.annotations.NullMarked;
