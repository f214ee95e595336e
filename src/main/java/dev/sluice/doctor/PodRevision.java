package dev.sluice.doctor;

import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.doctor.facts.PodFacts.OwnerReference;
import java.util.Map;
import java.util.Optional;

/**
 * Identifies the revision of a workload that a pod belongs to. There are revisions only for workloads whose rolling
 * update starts new pods before it ends old ones.
 *
 * @param workload the kind and name of the workload, for example {@code Deployment team/web}
 * @param revision the part of the pod's labels that differs between revisions
 */
record PodRevision(String workload, String revision) {

    private static final String KNATIVE = "Knative Configuration ";
    static final String DEPLOYMENT = "Deployment ";

    static Optional<PodRevision> of(PodFacts pod) {
        Map<String, String> labels = pod.ask().labels();
        String configuration = labels.getOrDefault("serving.knative.dev/configuration", "");
        String revision = labels.getOrDefault("serving.knative.dev/revision", "");
        return configuration.isEmpty() || revision.isEmpty()
                ? ofReplicaSet(pod, labels, "pod-template-hash", DEPLOYMENT)
                        .or(() -> ofReplicaSet(pod, labels, "rollouts-pod-template-hash", "Argo Rollout "))
                : Optional.of(new PodRevision(KNATIVE + pod.namespace() + "/" + configuration, revision));
    }

    /**
     * Returns the revision of a pod if the name of its ReplicaSet consists of the name of the workload and the hash of
     * the pod template; empty otherwise.
     */
    private static Optional<PodRevision> ofReplicaSet(
            PodFacts pod, Map<String, String> labels, String label, String kind) {
        String hash = labels.getOrDefault(label, "");
        return pod.owner()
                .filter(owner -> !hash.isEmpty() && owner.kind().equals("ReplicaSet"))
                .map(OwnerReference::name)
                .filter(name -> name.endsWith("-" + hash))
                .map(name -> name.substring(0, name.length() - hash.length() - 1))
                .map(name -> new PodRevision(kind + pod.namespace() + "/" + name, hash));
    }

    /** Returns a sentence about how the rolling update can succeed without spare devices. */
    String advice() {
        return workload.startsWith(KNATIVE)
                ? "Knative keeps the earlier revision until the new one is ready: delete the earlier revision."
                : "Set its strategy to Recreate, or maxSurge to 0 and maxUnavailable to 1.";
    }
}
