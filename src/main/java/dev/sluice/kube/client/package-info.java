/**
 * Connects to the API server. The package reads the kubeconfig and the credentials, sends requests for lists, watches
 * and single objects, and formats the failures. The packages {@code kube.decode} and {@code kube.facts} decode the
 * objects.
 */
@NullMarked
package dev.sluice.kube.client;

import org.jspecify.annotations.NullMarked;
