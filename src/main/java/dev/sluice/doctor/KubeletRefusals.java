package dev.sluice.doctor;

import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts for each node the pods that its kubelet has recently refused because the node lacked a resource. A refusal
 * does not count if the node runs a GPU pod that was bound later, because the cause of the refusal is then gone.
 */
final class KubeletRefusals {

    /**
     * Limits the age of a counted refusal. Refused pods stay in the cluster until a user or the garbage collector
     * deletes them.
     */
    private static final Duration RECENT = Duration.ofHours(1);

    /** If the newest refusal of a kubelet is not older than this, the kubelet is assumed to refuse further pods. */
    private static final Duration GOING_ON = Duration.ofMinutes(2);

    private final Map<String, Integer> byNode = new HashMap<>();
    private final Set<String> goingOn = new HashSet<>();
    /** Maps the name of a node to the time at which the newest of its running GPU pods was bound. */
    private final Map<String, Instant> started = new HashMap<>();

    KubeletRefusals(ClusterFacts cluster) {
        for (PodFacts pod : cluster.pods()) {
            Instant bound = pod.state().start().bound();
            if (bound != null
                    && pod.state().phase().equals("Running")
                    && !PodDiagnoses.gpus(pod.ask()).isZero()) {
                started.merge(pod.nodeName(), bound, (one, other) -> one.isAfter(other) ? one : other);
            }
        }
        for (PodFacts pod : cluster.pods()) {
            if (KubeletRefusalRule.isRefused(pod)
                    && KubeletRefusalRule.isOfResources(pod)
                    && !isOver(pod)
                    && isRecent(refused(pod), cluster)) {
                byNode.merge(pod.nodeName(), 1, Integer::sum);
                Instant refused = refused(pod);
                if (refused == null || cluster.isWithin(refused, GOING_ON)) {
                    goingOn.add(pod.nodeName());
                }
            }
        }
    }

    /**
     * Returns the time at which the kubelet refused the pod; null if it is unknown. The refusal may be long after the
     * pod was bound, because a restarted kubelet admits all pods of its node again.
     */
    private static @Nullable Instant refused(PodFacts pod) {
        Instant failed = pod.state().start().failed();
        return failed == null ? pod.state().start().bound() : failed;
    }

    private static boolean isRecent(@Nullable Instant refused, ClusterFacts cluster) {
        return refused == null || cluster.isWithin(refused, RECENT);
    }

    /** Returns true if the node runs a GPU pod that was bound after the kubelet had refused the given pod. */
    boolean isOver(PodFacts pod) {
        Instant refused = refused(pod);
        Instant later = started.get(pod.nodeName());
        return refused != null && later != null && later.isAfter(refused);
    }

    /** Returns true if the kubelet of the node refused a pod within the last two minutes, or at an unknown time. */
    boolean isGoingOn(String node) {
        return goingOn.contains(node);
    }

    /**
     * Returns the number of pods that the kubelet of the node has recently refused because the node lacked a resource.
     */
    int on(String node) {
        return byNode.getOrDefault(node, 0);
    }
}
