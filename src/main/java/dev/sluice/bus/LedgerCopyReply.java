package dev.sluice.bus;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.dra.DraState;
import java.util.Collections;
import java.util.List;

/**
 * A copy of the ledger's content, with which another thread can explain decisions.
 *
 * @param cluster the nodes at the time of the copy
 * @param pods the pods that {@code Ledger.copyOfPods} returns. The list is not copied, because the ledger creates a new
 *     list for each message
 * @param podsKnown false until all pods are known
 */
public record LedgerCopyReply(ClusterSnapshot cluster, List<Pod> pods, DraState dra, boolean podsKnown) {

    public LedgerCopyReply {
        pods = Collections.unmodifiableList(pods);
    }

    /** Requests a copy of the ledger. */
    public record LedgerCopyQuestion() {}
}
