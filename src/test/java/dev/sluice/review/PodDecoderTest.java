package dev.sluice.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.request.PodRequest;
import dev.sluice.review.AdmissionReview.PodObject;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What is read of a pod that is to be created, beside its containers. */
class PodDecoderTest {

    private static PodRequest pod(String fieldsOfTheSpec) throws NotAReviewException {
        byte[] review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "team",
                 "object": {"metadata": {"name": "train"}, "spec": {%s "containers": [{"name": "c"}]}}}}
                """.formatted(fieldsOfTheSpec).getBytes(StandardCharsets.UTF_8);
        if (new ReviewDecoder().decode(review).object() instanceof PodObject.ReadPod(PodRequest request)) {
            return request;
        }
        throw new AssertionError("the pod cannot be read");
    }

    @Test
    void readsTheOverheadThatTheRuntimeClassAddsToThePod() throws Exception {
        PodRequest pod = pod("\"overhead\": {\"cpu\": \"250m\", \"memory\": \"120Mi\"},");

        assertThat(pod.overhead().rounded()).hasToString("{cpu: 250, memory: 125829120}");
        assertThat(pod("").overhead().isEmpty()).isTrue();
    }

    @Test
    void readsWhetherSchedulingGatesHoldThePodBack() throws Exception {
        assertThat(pod("\"schedulingGates\": [{\"name\": \"example.com/quota\"}],")
                        .gated())
                .isTrue();
        assertThat(pod("\"schedulingGates\": [],").gated()).isFalse();
        assertThat(pod("\"schedulingGates\": null,").gated()).isFalse();
        assertThat(pod("").gated()).isFalse();
    }
}
