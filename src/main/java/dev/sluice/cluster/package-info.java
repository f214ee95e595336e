/**
 * Nodes and pods as the API server describes them, the events that change them, the immutable snapshot of all nodes,
 * the MIG profiles of GPU models, and the rules by which kube-scheduler matches a pod to one node.
 */
@NullMarked
package dev.sluice.cluster;

import org.jspecify.annotations.NullMarked;
