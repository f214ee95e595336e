/**
 * The connection to the API server: kubeconfig and credentials, with advice on how to select a cluster; requests for
 * lists, watches, single objects, token reviews and access reviews; the events of a watch, the status and the bodies of
 * answers, and the text of failures; and the name and the rights of the own pod. The packages {@code kube.decode} and
 * {@code kube.facts} decode the objects.
 */
@NullMarked
package dev.sluice.kube.client;

import org.jspecify.annotations.NullMarked;
