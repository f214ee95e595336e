package dev.sluice.admission;

import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import java.util.Optional;

/**
 * A verdict, and what it takes of the cluster once the pod is created.
 *
 * @param claim empty if nothing is to be reserved: no GPU, refused, gated, or a pod that the API server will refuse
 */
public record Decision(Verdict verdict, Optional<Claim> claim) {

    /**
     * What the pod will take of its node.
     *
     * @param where it may run then
     * @param isFree whether a node has that much free now
     */
    public record Claim(Amounts need, NodeConstraints where, boolean isFree) {}
}
