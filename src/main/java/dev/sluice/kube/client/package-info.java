/**
 * The connection to the API server: kubeconfig and credentials, requests for lists, watches and single objects, the
 * status of the answers, and the text of failures. The packages {@code kube.decode} and {@code kube.facts} decode the
 * objects.
 */
@NullMarked
package dev.sluice.kube.client;

import org.jspecify.annotations.NullMarked;
