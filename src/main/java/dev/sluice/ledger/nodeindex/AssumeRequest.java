package dev.sluice.ledger.nodeindex;

import dev.sluice.quantity.Amounts;
import dev.sluice.scheduling.NodeConstraints;

/**
 * What was decided for one pod.
 *
 * @param stamp by which the pod will be known
 * @param namespace where it is to be created
 * @param need what it will take of its node
 * @param room whether there was any when it was decided
 */
public record AssumeRequest(String stamp, String namespace, Amounts need, NodeConstraints constraints, boolean room) {}
