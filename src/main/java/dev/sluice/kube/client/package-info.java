/**
 * The connection to the API server: requests for lists, watches and single objects, credentials, and the meaning of
 * failures. The packages {@code kube.decode} and {@code kube.facts} know what the objects contain.
 */
@NullMarked
package dev.sluice.kube.client;

import org.jspecify.annotations.NullMarked;
