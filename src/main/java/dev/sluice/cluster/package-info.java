/**
 * The model of a cluster: nodes, and pods with their containers, as the API server describes them, with labels, taints,
 * constraints, requests, Allocatable and extended resources; the events that change them; malformed objects; the
 * immutable snapshot of all nodes; GPU vendors with their resource names, also misspelt ones and those of other
 * software, GPU models and MIG profiles; the evidence that a cluster has GPUs, such as device plugins and instance
 * types; and kube-scheduler's rules for matching a pod with a node, with the reasons of a mismatch.
 */
@NullMarked
package dev.sluice.cluster;

import org.jspecify.annotations.NullMarked;
