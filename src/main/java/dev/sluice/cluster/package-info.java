/**
 * The model of a cluster: nodes and pods as the API server describes them, the events that change them, the immutable
 * snapshot of all nodes, the MIG profiles of GPU models, and kube-scheduler's rules for matching a pod with a node.
 */
@NullMarked
package dev.sluice.cluster;

import org.jspecify.annotations.NullMarked;
