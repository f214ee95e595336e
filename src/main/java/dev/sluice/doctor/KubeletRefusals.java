package dev.sluice.doctor;

import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts for each node the pods that its kubelet has recently refused because it lacked a resource. A refused pod does
 * not count if the kubelet runs a GPU pod that was bound later, because the cause of the refusal is then gone.
 */
final class KubeletRefusals {

    /**
     * Limits the age of a refusal. Refused pods stay in the cluster until a user or the garbage collector deletes them.
     */
    private static final Duration RECENT = Duration.ofHours(1);

    private final Map<String, Integer> byNode = new HashMap<>();
    /** Maps the name of a node to the time when its newest running GPU pod was bound. */
    private final Map<String, Instant> started = new HashMap<>();

    KubeletRefusals(ClusterFacts cluster) {
        for (PodFacts pod : cluster.pods()) {
            Instant bound = pod.state().start().bound();
            if (bound != null
                    && pod.state().phase().equals("Running")
                    && !PodVerdicts.gpus(pod.ask()).isZero()) {
                started.merge(pod.nodeName(), bound, (one, other) -> one.isAfter(other) ? one : other);
            }
        }
        for (PodFacts pod : cluster.pods()) {
            if (KubeletRefusalRule.isRefused(pod)
                    && KubeletRefusalRule.isOfResources(pod)
                    && !isOver(pod)
                    && isRecent(pod.state().start().bound(), cluster)) {
                byNode.merge(pod.nodeName(), 1, Integer::sum);
            }
        }
    }

    private static boolean isRecent(@Nullable Instant refused, ClusterFacts cluster) {
        return refused == null || cluster.isWithin(refused, RECENT);
    }

    /** Returns true if the kubelet runs a GPU pod that was bound later than this refused pod. */
    boolean isOver(PodFacts pod) {
        Instant refused = pod.state().start().bound();
        Instant later = started.get(pod.nodeName());
        return refused != null && later != null && later.isAfter(refused);
    }

    /** Returns the number of pods that the kubelet of the node has recently refused because it lacked a resource. */
    int on(String node) {
        return byNode.getOrDefault(node, 0);
    }
}
