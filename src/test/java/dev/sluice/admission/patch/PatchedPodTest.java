package dev.sluice.admission.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatchedPodTest {

    private static final String LIMITS = "/spec/containers/0/resources/limits";
    private static final String REQUESTS = "/spec/containers/0/resources/requests";
    private static final String GPU = "nvidia.com~1gpu";
    private static final PodRequestAnnotations SOME =
            new PodRequestAnnotations(PodRequestAnnotations.Parent.ANNOTATIONS, Map.of("a", "b"), 2);

    private static PodRequest pod(
            PodRequestAnnotations annotations,
            @Nullable Map<String, String> limits,
            @Nullable Map<String, String> requests) {
        ContainerRequest container =
                new ContainerRequest(PodContainerKind.MAIN, 0, "train", quantities(limits), quantities(requests));
        return new PodRequest(
                List.of(container),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                annotations);
    }

    private static @Nullable Map<ResourceName, Quantity> quantities(@Nullable Map<String, String> texts) {
        if (texts == null) {
            return null;
        }
        Map<ResourceName, Quantity> quantities = new HashMap<>();
        texts.forEach((name, text) ->
                quantities.put(new ResourceName(name), Quantity.parse(text).orElseThrow()));
        return quantities;
    }

    /** From text as patches have it. */
    private static JsonPointer pointer(String path) {
        JsonPointer pointer = JsonPointer.of();
        for (String key : path.substring(1).split("/", -1)) {
            pointer = pointer.child(key.replace("~1", "/").replace("~0", "~"));
        }
        return pointer;
    }

    private static PatchOperation add(String path, String text) {
        return new PatchOperation.Add(pointer(path), new PatchOperation.Text(text));
    }

    private static PatchOperation replace(String path, String text) {
        return new PatchOperation.Replace(pointer(path), new PatchOperation.Text(text));
    }

    private static PatchOperation remove(String path) {
        return new PatchOperation.Remove(pointer(path));
    }

    private static PatchOperation.Members members(Map<String, String> texts) {
        Map<String, PatchOperation.Value> members = new HashMap<>();
        texts.forEach((key, text) -> members.put(key, new PatchOperation.Text(text)));
        return new PatchOperation.Members(members);
    }

    private static Optional<String> onGpuPod(PatchOperation... steps) {
        Map<String, String> one = Map.of("nvidia.com/gpu", "1", "cpu", "2");
        return PatchedPod.problem(pod(SOME, one, one), List.of(steps));
    }

    private static Optional<String> onBarePod(PatchOperation... steps) {
        return PatchedPod.problem(pod(PodRequestAnnotations.NONE, null, null), List.of(steps));
    }

    @Test
    void takesWhatIsChangedInBothMaps() {
        assertThat(onGpuPod(replace(LIMITS + "/" + GPU, "2"), replace(REQUESTS + "/" + GPU, "2")))
                .isEmpty();
    }

    @Test
    void findsWhatIsChangedInOneMapOnly() {
        assertThat(onGpuPod(replace(LIMITS + "/" + GPU, "2")))
                .contains("requests and limits of nvidia.com/gpu differ in container train");
        assertThat(onGpuPod(remove(LIMITS + "/" + GPU)))
                .contains("the request of nvidia.com/gpu has no limit in container train");
    }

    @Test
    void findsADeviceThatIsNoWholeNumber() {
        assertThat(onGpuPod(add(LIMITS + "/amd.com~1gpu", "500m")))
                .contains("amd.com/gpu is 500m, not a whole number, in container train");
        assertThat(onGpuPod(add(LIMITS + "/amd.com~1gpu", "-1")))
                .contains("amd.com/gpu is -1, less than nothing, in container train");
        assertThat(onGpuPod(add(LIMITS + "/amd.com~1gpu", "many"))).contains("amd.com/gpu cannot be many");
    }

    @Test
    void findsARequestAboveItsLimit() {
        assertThat(onGpuPod(replace(REQUESTS + "/cpu", "2001m")))
                .contains("the request of cpu is above its limit in container train");
        assertThat(onGpuPod(replace(REQUESTS + "/cpu", "1999m"))).isEmpty();
    }

    @Test
    void findsStepsThatHaveNothingToWorkOn() {
        assertThat(onGpuPod(remove(LIMITS + "/amd.com~1gpu"))).contains("nothing is at " + LIMITS + "/amd.com~1gpu");
        assertThat(onGpuPod(remove(LIMITS + "/cpu"), remove(LIMITS + "/cpu")))
                .contains("nothing is at " + LIMITS + "/cpu");
        assertThat(onBarePod(add(LIMITS + "/cpu", "1"))).contains("nothing holds " + LIMITS + "/cpu");
        assertThat(onGpuPod(add("/spec/containers/1/resources/limits/cpu", "1")))
                .contains("nothing holds /spec/containers/1/resources/limits/cpu");
        assertThat(onBarePod(add("/metadata/annotations/a", "b"))).contains("nothing holds /metadata/annotations/a");
    }

    @Test
    void anEmptyMapCanBeWrittenToOnceItIsThere() {
        assertThat(onBarePod(new PatchOperation.Add(pointer(LIMITS), members(Map.of())), add(LIMITS + "/cpu", "1")))
                .isEmpty();
    }

    @Test
    void metadataComesBeforeAnnotations() {
        PodRequest pod =
                pod(new PodRequestAnnotations(PodRequestAnnotations.Parent.NO_METADATA, Map.of(), 0), null, null);
        PatchOperation annotations =
                new PatchOperation.Add(pointer("/metadata/annotations"), members(Map.of("a", "b")));
        assertThat(PatchedPod.problem(pod, List.of(annotations))).contains("nothing holds /metadata/annotations");
        PatchOperation metadata = new PatchOperation.Add(
                pointer("/metadata"), new PatchOperation.Members(Map.of("annotations", members(Map.of("a", "b")))));
        assertThat(PatchedPod.problem(pod, List.of(metadata, add("/metadata/annotations/c", "d"))))
                .isEmpty();
    }

    @Test
    void countsAnnotationsAsTheyWillBe() {
        PodRequestAnnotations full = new PodRequestAnnotations(
                PodRequestAnnotations.Parent.ANNOTATIONS, Map.of("a", "long"), 256 * 1024 - 1);
        PodRequest pod = pod(full, null, null);
        assertThat(PatchedPod.problem(pod, List.of(replace("/metadata/annotations/a", "long!"))))
                .isEmpty();
        assertThat(PatchedPod.problem(pod, List.of(replace("/metadata/annotations/a", "longer"))))
                .contains("annotations of 262145 bytes, more than 262144");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            hugepages-2Mi, 4Mi, cpu,    ''
            hugepages-2Mi, 3Mi, cpu,    'hugepages-2Mi is 3Mi, no number of such pages, in container train'
            hugepages-2Mi, 0,   cpu,    ''
            hugepages-2Mi, 2097151500m, cpu, ''
            hugepages-2Mi, -2Mi, cpu,   'hugepages-2Mi is -2Mi, less than nothing, in container train'
            hugepages-0,   4Mi, cpu,    'hugepages-0 is 4Mi, no number of such pages, in container train'
            hugepages-big, 4Mi, cpu,    'hugepages-big is 4Mi, no number of such pages, in container train'
            hugepages-2Mi, 4Mi, memory, ''
            hugepages-2Mi, 4Mi, example.com/a, hugepages need cpu or memory in addition in container train
            """)
    void holdsHugePagesToTheirRules(String pages, String amount, String beside, String problem) {
        Map<String, String> both = Map.of(pages, amount, beside, "1");
        assertThat(PatchedPod.problem(pod(SOME, both, both), List.of()).orElse(""))
                .isEqualTo(problem);
    }
}
