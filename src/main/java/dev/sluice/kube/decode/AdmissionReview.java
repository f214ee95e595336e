package dev.sluice.kube.decode;

import dev.sluice.admission.request.PodRequest;
import dev.sluice.record.RecordedReviewHead.PodOwner;

/**
 * The fields of an AdmissionReview request (admission.k8s.io/v1) that a decision needs.
 *
 * @param uid the uid of this request, which the answer repeats; never empty
 * @param kind the group, version and kind of the object as {@code group/version/Kind}, for example {@code /v1/Pod} for
 *     the core group
 * @param namespace the namespace of the request. The namespace in the object is not used, because it may be empty
 * @param podName the pod's name, or its generateName followed by {@code *}; only used in messages
 * @param owner the controller of the pod, such as a ReplicaSet; only used in messages and to find out whether earlier
 *     pods of this controller were refused
 */
public record AdmissionReview(
        String uid,
        String kind,
        String operation,
        String subResource,
        String namespace,
        String podName,
        PodOwner owner,
        Maker maker,
        DryRun dryRun,
        PodObject object) {

    private static final String POD = "/v1/Pod";

    /** Says if the request is a dry run, whose result the API server does not store. */
    public enum DryRun {
        NO,
        YES
    }

    /** Says who creates the object. */
    public enum Maker {
        /**
         * A kubelet. The object is the mirror pod of a static pod, which already runs. If the webhook changed the
         * mirror pod, the kubelet would delete it and create it again.
         */
        KUBELET_FOR_STATIC_POD,
        OTHER
    }

    /** The object that is to be created. */
    public sealed interface PodObject {
        record ReadPod(PodRequest request) implements PodObject {}

        /** The object is null or missing. */
        record Absent() implements PodObject {}

        /** The object is not a pod that can be decoded. */
        record UnreadableObject(String problem) implements PodObject {}
    }

    /**
     * Returns true if the request creates a pod, unless this is the mirror pod of a static pod. All other requests are
     * allowed without a decision.
     */
    public boolean isToBeDecided() {
        return isPodCreation() && maker != Maker.KUBELET_FOR_STATIC_POD;
    }

    public boolean isPodCreation() {
        return kind.equals(POD) && operation.equals("CREATE") && subResource.isEmpty();
    }
}
