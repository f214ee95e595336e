package dev.sluice.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import dev.sluice.kube.decode.NotAReviewException;
import dev.sluice.kube.decode.ReviewDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the review that the API server would send for a pod. It is not thread-safe. */
final class ReplayedReviews {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ReviewDecoder decoder = new ReviewDecoder();

    /**
     * Returns the review; empty if the pod is malformed, so that a gateway cannot read it.
     *
     * @param uid a text that no other pod has
     */
    Optional<AdmissionReview> of(String uid, String namespace, ObjectNode pod) {
        try {
            AdmissionReview review = decoder.decode(
                    JSON.writeValueAsBytes(new CreationReview(uid, namespace, MissingNode.getInstance()).of(pod)));
            return review.object() instanceof PodObject.ReadPod ? Optional.of(review) : Optional.empty();
        } catch (NotAReviewException broken) {
            return Optional.empty();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Returns the pod of a review; null if there is none. */
    static @Nullable PodRequest pod(Optional<AdmissionReview> review) {
        return review.map(ReplayedReviews::pod).orElse(null);
    }

    /** Returns the pod of a review that {@link #of} has made. */
    static PodRequest pod(AdmissionReview review) {
        if (review.object() instanceof PodObject.ReadPod(PodRequest pod)) {
            return pod;
        }
        throw new IllegalArgumentException("the review has no pod that can be read");
    }

    /**
     * Returns true for a GPU pod that the manifests of the webhook exclude: a pod in kube-system, or the mirror of a
     * static pod. This method does not know pods that the labels of their namespaces exclude.
     */
    static boolean isNeverAsked(JsonNode pod, String namespace) {
        boolean isExcluded = namespace.equals("kube-system")
                || pod.path("metadata").path("annotations").has("kubernetes.io/config.mirror");
        return isExcluded && asksForGpu(pod.path("spec"));
    }

    private static boolean asksForGpu(JsonNode spec) {
        return Stream.of("containers", "initContainers")
                .flatMap(list -> spec.path(list).valueStream())
                .flatMap(container -> Stream.of("limits", "requests")
                        .map(map -> container.path("resources").path(map)))
                .flatMap(resources -> resources.propertyStream())
                .anyMatch(resource -> GpuVendor.isGpu(new ResourceName(resource.getKey())));
    }

    /** Returns the controller of a pod as a workload, such as {@code Deployment web}; empty if it has none. */
    static String workload(JsonNode pod) {
        for (JsonNode owner : pod.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return ReplayedWorkload.of(
                        owner.path("kind").asText(),
                        owner.path("name").asText(),
                        pod.path("metadata")
                                .path("labels")
                                .path("pod-template-hash")
                                .asText());
            }
        }
        return "";
    }
}
