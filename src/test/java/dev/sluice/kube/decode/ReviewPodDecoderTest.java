package dev.sluice.kube.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.PodRequest;
import dev.sluice.kube.decode.AdmissionReview.PodObject;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of a pod that is to be created, beside its containers. */
class ReviewPodDecoderTest {

    private static AdmissionReview review(String fieldsOfTheMetadata, String fieldsOfTheSpec)
            throws NotAReviewException {
        byte[] review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "team",
                 "object": {"metadata": {%s "name": "train"}, "spec": {%s "containers": [{"name": "c"}]}}}}
                """.formatted(fieldsOfTheMetadata, fieldsOfTheSpec).getBytes(StandardCharsets.UTF_8);
        return new ReviewDecoder().decode(review);
    }

    private static PodRequest pod(String fieldsOfTheSpec) throws NotAReviewException {
        if (review("", fieldsOfTheSpec).object() instanceof PodObject.ReadPod(PodRequest request)) {
            return request;
        }
        throw new AssertionError("the pod cannot be read");
    }

    private static PodOwner owner(String ownerReferences) throws NotAReviewException {
        AdmissionReview review = review("\"ownerReferences\": " + ownerReferences + ",", "");
        assertThat(review.object()).isInstanceOf(PodObject.ReadPod.class);
        assertThat(review.podName()).isEqualTo("train");
        return review.owner();
    }

    @Test
    void readsWhichControllerThePodBelongsTo() throws Exception {
        String other = "{\"kind\": \"Queue\", \"name\": \"q\", \"uid\": \"1\"}";
        String controller =
                "{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", \"name\": \"nightly\", \"uid\": \"7\", \"controller\": true}";
        PodOwner nightly = new PodOwner("Job", "nightly", "batch/v1", "7");

        assertThat(owner("[" + other + "," + controller + "]")).isEqualTo(nightly);
        assertThat(owner("[" + controller + "," + other + "]")).isEqualTo(nightly);
        assertThat(owner("[" + other + "]")).isEqualTo(PodOwner.NONE);
        assertThat(review("", "").owner()).isEqualTo(PodOwner.NONE);
    }

    /** It is for people, and must not make a pod one that cannot be read. */
    @ParameterizedTest
    @ValueSource(strings = {"null", "7", "\"x\"", "{}", "[]", "[7, null, [], {\"kind\": 7, \"controller\": \"yes\"}]"})
    void ownersThatCannotBeReadArePassedOver(String ownerReferences) throws Exception {
        assertThat(owner(ownerReferences)).isEqualTo(PodOwner.NONE);
    }

    @Test
    void ofManyOwnersOnlyTheFirstAreLookedAt() throws Exception {
        String many = "{\"kind\": \"Job\", \"name\": \"%s\", \"controller\": %s},".repeat(20);

        assertThat(owner("["
                        + many.formatted(IntStream.range(0, 20)
                                .boxed()
                                .flatMap(i -> Stream.of(i, i == 19))
                                .toArray()) + "{}]"))
                .isEqualTo(PodOwner.NONE);
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
