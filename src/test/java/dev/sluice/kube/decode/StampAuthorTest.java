package dev.sluice.kube.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cluster.Pod;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A stamp that the pod's author has written is none. */
class StampAuthorTest {

    private static PodRequestAnnotations annotations(String metadata) throws NotAReviewException {
        String review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "team",
                 "object": {"metadata": {%s}, "spec": {"containers": [{"name": "main"}]}}}}
                """.formatted(metadata);
        return new ReviewDecoder()
                                .decode(review.getBytes(StandardCharsets.UTF_8))
                                .object()
                        instanceof AdmissionReview.PodObject.ReadPod(var pod)
                ? pod.annotations()
                : PodRequestAnnotations.NONE;
    }

    private static final String STAMPED = "\"annotations\": {\"" + Pod.STAMP + "\": \"s\", \"a\": \"b\"}";

    private static String managed(String annotation) {
        return "\"managedFields\": [{\"manager\": \"m\", \"operation\": \"Update\", \"fieldsType\": \"FieldsV1\"},"
                + " {\"manager\": \"n\", \"fieldsV1\": {\"f:metadata\": {\"f:annotations\": {\".\": {}, \"f:"
                + annotation + "\": {}}, \"f:name\": {}}, \"f:spec\": {\"f:containers\": {\"k:{}\": {\"x\": [1]}}}}}]";
    }

    @Test
    void oneThatWasThereBeforeAnyWebhookIsNotBelieved() throws Exception {
        PodRequestAnnotations found = annotations(STAMPED + ", " + managed(Pod.STAMP));

        assertThat(found.stamp()).isNull();
        assertThat(found.values()).containsEntry("a", "b");
        assertThat(found.parent()).isEqualTo(PodRequestAnnotations.Parent.ANNOTATIONS);
    }

    @Test
    void oneThatAWebhookWroteIs() throws Exception {
        assertThat(annotations(STAMPED + ", " + managed("a")).stamp()).isEqualTo("s");
        assertThat(annotations(STAMPED).stamp()).isEqualTo("s");
        assertThat(annotations(STAMPED + ", \"managedFields\": null").stamp()).isEqualTo("s");
    }

    @Test
    void withoutAStampNobodyAsksWhoWroteWhat() throws Exception {
        assertThat(annotations("\"annotations\": {\"a\": \"b\"}, \"managedFields\": [17, \"x\"]")
                        .values())
                .containsEntry("a", "b");
    }
}
