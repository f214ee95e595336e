package dev.sluice.replication;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.text.TextWeight;
import java.util.List;

/**
 * The parts of a decision that other replicas need: the reservation, and the fields by which the pod is recognized if
 * the API server sends the same review again. The answer of the decision is not replicated.
 *
 * @param podName the pod's name, or its generateName followed by {@code *}
 * @param pod the hash of the pod in the request
 * @param preempted the stamps (identifiers) of the decisions that were preempted to make room for this one
 */
public record ReplicatedDecision(
        PlacementRequest placement,
        String podName,
        int pod,
        Verdict.Outcome outcome,
        Reason reason,
        List<String> preempted) {

    public ReplicatedDecision {
        preempted = List.copyOf(preempted);
    }

    /**
     * Returns the message that a reservation has ended, and that no other reservation replaces it.
     *
     * @param stamp identifies the reservation; if no reservation has this stamp, the receiver finds it by the name of
     *     the pod
     */
    public static ReplicatedDecision endOf(String stamp, String namespace, String name) {
        return new ReplicatedDecision(
                new PlacementRequest(
                        stamp,
                        namespace,
                        Amounts.NONE,
                        NodeConstraints.NONE,
                        /* promised= */ false,
                        PlacementOrigin.any(name, null),
                        PodPriority.NORMAL),
                "",
                0,
                Verdict.Outcome.UNTOUCHED,
                Reason.EXHAUSTED,
                List.of());
    }

    /** Returns true if this message only ends a reservation. */
    public boolean isEnd() {
        return placement.need().isEmpty();
    }

    /** Returns the approximate size of this decision in a message, in characters. */
    public long weight() {
        long stamps = preempted.stream().mapToLong(TextWeight::of).sum();
        return placement.need().weight()
                + placement.constraints().weight()
                + TextWeight.of(
                        placement.stamp(),
                        placement.namespace(),
                        placement.origin().name(),
                        podName)
                + stamps;
    }
}
