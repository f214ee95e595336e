package dev.sluice.webhook.review;

import dev.sluice.admission.request.PodRequest;
import dev.sluice.record.ReviewHead.PodOwner;

/**
 * An AdmissionReview request (admission.k8s.io/v1), as far as it is read.
 *
 * @param uid of this call, echoed in the answer; never empty
 * @param kind group, version and kind as {@code group/version/Kind}; the core group is empty
 * @param namespace of the request, which is the truth; the object's own may be empty
 * @param podName for people: the pod's name, or its generateName followed by {@code *}
 * @param owner for people: who controls the pod
 */
public record AdmissionReview(
        String uid,
        String kind,
        String operation,
        String subResource,
        String namespace,
        String podName,
        PodOwner owner,
        DryRun dryRun,
        PodObject object) {

    private static final String POD = "/v1/Pod";

    /** Whether the API server will store what comes of the request. */
    public enum DryRun {
        NO,
        YES
    }

    /** The object that is to be created. */
    public sealed interface PodObject {
        record ReadPod(PodRequest request) implements PodObject {}

        /** The object is null or missing. */
        record Absent() implements PodObject {}

        /** The object is not a pod that can be read. */
        record UnreadableObject(String problem) implements PodObject {}
    }

    /** Only the creation of a pod is decided. Everything else is admitted unread. */
    public boolean isPodCreation() {
        return kind.equals(POD) && operation.equals("CREATE") && subResource.isEmpty();
    }
}
