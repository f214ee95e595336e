package dev.sluice.ledger;

import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the names of some pods of device plugins for GPUs. Such a pod is evidence that a cluster has GPUs, even if no
 * node reports GPUs.
 */
final class LedgerDevicePluginPods {

    /**
     * The maximum number of names that are kept. One pod is enough as evidence. The others are needed if that pod is
     * removed.
     */
    private static final int MOST = 64;

    private final SequencedMap<PodId, String> names = new LinkedHashMap<>();

    void add(Pod pod) {
        if (names.size() < MOST) {
            names.put(pod.id(), pod.name());
        }
    }

    void remove(LedgerPodEntry entry) {
        if (!names.isEmpty()) {
            names.remove(new PodId(entry.high, entry.low));
        }
    }

    /** Returns the pod that was seen first, as evidence of a device plugin; null if no pod is known. */
    @Nullable
    ClusterGpuEvidence sign() {
        return names.isEmpty()
                ? null
                : ClusterGpuEvidence.ofPlugin("pod", names.firstEntry().getValue());
    }
}
