/**
 * The model of a cluster: nodes and pods as the API server describes them, with labels, taints, constraints and
 * requests; the events that change them; the immutable snapshot of all nodes; GPU vendors, GPU models and MIG profiles;
 * and kube-scheduler's rules for matching a pod with a node.
 */
@NullMarked
package dev.sluice.cluster;

import org.jspecify.annotations.NullMarked;
