/**
 * Nodes and pods as the API server describes them, the changes of both, the immutable snapshot of all nodes, and the
 * rules by which kube-scheduler matches a pod to one node.
 */
@NullMarked
package dev.sluice.cluster;

import org.jspecify.annotations.NullMarked;
