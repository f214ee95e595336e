package dev.sluice.lease;

import dev.sluice.bus.DecideRequest;
import dev.sluice.cluster.PodId;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.util.Set;

/** Determines from an admission review who creates the pod. */
final class ReservingReviewOrigins {

    private static final String GENERATED = "*";
    private static final String JOB = "batch/v1/Job";

    /** The annotation with the index of a pod of an Indexed Job. */
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    /**
     * The maximum number of characters of an index. An index of an Indexed Job is below 2^31, so it has at most 10
     * digits.
     */
    private static final int LONGEST_INDEX = 10;

    /**
     * The kinds whose controllers create pods in batches, and give a pod another name with each try. StatefulSets are
     * missing, because their pods keep their names. RayClusters are included, because KubeRay creates their pods one
     * after another: each pod is a batch of its own. The controller of CloneSets works like the one of ReplicaSets.
     */
    private static final Set<String> IN_BATCHES = Set.of(
            "apps/v1/ReplicaSet",
            "v1/ReplicationController",
            "apps/v1/DaemonSet",
            JOB,
            "ray.io/v1/RayCluster",
            "ray.io/v1alpha1/RayCluster",
            "apps.kruise.io/v1alpha1/CloneSet",
            "apps.kruise.io/v1beta1/CloneSet");

    private ReservingReviewOrigins() {}

    static PlacementOrigin of(DecideRequest request) {
        PodOwner owner = request.owner();
        String kind = owner.apiVersion() + "/" + owner.kind();
        boolean isGenerated = request.podName().endsWith(GENERATED);
        String name = isGenerated ? kind.equals(JOB) ? indexed(request) : "" : request.podName();
        PodId uid = owner.uid().isEmpty() ? null : PodId.of(owner.uid());
        return IN_BATCHES.contains(kind) ? PlacementOrigin.inBatches(name, uid) : PlacementOrigin.any(name, uid);
    }

    /**
     * Returns the uid of the Job and the completion index for a pod of an Indexed Job. Together they replace the name
     * of the pod: the Job creates another pod for an index only after the creation of the earlier pod has ended.
     * Returns an empty text for a pod of any other Job.
     */
    private static String indexed(DecideRequest request) {
        String index = request.pod().annotations().values().getOrDefault(INDEX, "");
        return index.isEmpty() || index.length() > LONGEST_INDEX
                ? ""
                : request.owner().uid() + "/" + index;
    }
}
