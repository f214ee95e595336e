/**
 * The connection to the API server: requests for lists, watches and single objects, credentials, and the meaning of
 * failures. The packages {@code kube.decode} and {@code kube.facts} decode the objects.
 */
@NullMarked
package dev.sluice.kube.client;

import org.jspecify.annotations.NullMarked;
