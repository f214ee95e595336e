package dev.sluice.admission;

import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import java.util.Optional;

/**
 * A verdict, and the resources that the pod will use after its creation.
 *
 * @param claim the resources to reserve. It is empty if the pod requests no GPU, is denied, has scheduling gates or
 *     cannot be evaluated, or if the API server will refuse the pod
 */
public record Decision(Verdict verdict, Optional<Claim> claim) {

    /**
     * The resources that a pod will use on its node.
     *
     * @param need the amount of each resource
     * @param where the nodes on which the pod may run
     * @param isFree true if one of these nodes has the needed amounts free now
     */
    public record Claim(Amounts need, NodeConstraints where, boolean isFree) {}
}
