package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.cli.console.UserProblem;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestReaderTest {

    private static final ResourceName GPU = ResourceName.NVIDIA_GPU;

    private static List<Manifest> read(String text) throws UserProblem {
        return ManifestReader.read("f", text.getBytes(StandardCharsets.UTF_8));
    }

    private static ContainerRequest container(String text) throws UserProblem {
        return ManifestReader.decode((Manifest.ManifestPods) read(text).getFirst())
                .containers()
                .getFirst();
    }

    private static String podWith(String resources) {
        return "{apiVersion: v1, kind: Pod, spec: {containers: [{name: c" + resources + "}]}}";
    }

    @ParameterizedTest
    @CsvSource({
        "apps/v1, Deployment, spec",
        "apps/v1, StatefulSet, spec",
        "apps/v1, DaemonSet, spec",
        "apps/v1, ReplicaSet, spec",
        "v1, ReplicationController, spec",
        "batch/v1, Job, spec",
        "batch/v1, CronJob, spec: {jobTemplate: {spec",
    })
    void findsTheTemplateOfEveryBuiltInKind(String apiVersion, String kind, String path) throws UserProblem {
        String end = path.contains("{") ? "}}" : "";
        List<Manifest> manifests = read("{apiVersion: " + apiVersion + ", kind: " + kind + ", metadata: {name: n}, "
                + path + ": {template: {spec: {containers: [{name: c}]}}}}" + end);

        assertThat(manifests).singleElement().isInstanceOf(Manifest.ManifestPods.class);
        assertThat(manifests.getFirst().title()).isEqualTo(kind + " n");
    }

    /** As {@code defaultPodRequests} of the API server does. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limits: {cpu: 8}                     | 1500m | ",
                "limits: {cpu: 8}, requests: {cpu: 4} | 4     | ",
                "limits: {ephemeral-storage: 8Gi}     | 1500m | ",
                "limits: {memory: 8Gi}                | 1500m | 8589934592",
                "requests: {memory: 8Gi}              |       | 8589934592",
            })
    void thePodRequestsWhatItsContainersDoAndOnlyThenItsLimit(
            String resources, @Nullable String cpu, @Nullable String memory) throws UserProblem {
        PodRequest pod =
                ManifestReader.decode((Manifest.ManifestPods) read("{apiVersion: v1, kind: Pod, spec: {resources: {"
                                + resources + "}, containers: [{name: a, resources: {requests: {cpu: 1}}},"
                                + " {name: b, resources: {limits: {cpu: 500m}}}]}}")
                        .getFirst());

        Amounts podLevel = pod.podLevel().rounded();
        assertThat(podLevel.get(ResourceName.CPU))
                .isEqualTo(cpu == null ? 0 : Quantity.parse(cpu).orElseThrow().milliValue());
        assertThat(podLevel.get(ResourceName.MEMORY)).isEqualTo(memory == null ? 0 : Long.parseLong(memory));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                              | 1",
                "parallelism: 5,               | 5",
                "parallelism: 5, completions: 2, | 2",
                "completions: 3,               | 1",
                "parallelism: -1,              | 0",
            })
    void aJobMakesNoMorePodsThanItCompletes(@Nullable String numbers, int copies) throws UserProblem {
        Manifest job = read("{apiVersion: batch/v1, kind: Job, metadata: {name: n}, spec: {"
                        + (numbers == null ? "" : numbers) + " template: {spec: {containers: [{name: c}]}}}}")
                .getFirst();

        assertThat(((Manifest.ManifestPods) job).copies()).isEqualTo(copies);
    }

    @Test
    void takesAKindOfAnotherGroupForAnother() throws UserProblem {
        List<Manifest> manifests = read("{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: n}}");

        assertThat(manifests).containsExactly(new Manifest.Other("f", "Job n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PyTorchJob | spec.pytorchReplicaSpecs.Worker.template",
                "MPIJob | spec.mpiReplicaSpecs.Launcher.template",
                "RayJob | spec.rayClusterSpec.headGroupSpec.template",
                "Notebook | spec.template",
                "LeaderWorkerSet | spec.leaderWorkerTemplate.workerTemplate",
                "JobSet | spec.replicatedJobs.template.spec.template",
            })
    void findsTheTemplateOfACustomResource(String kind, String path) throws UserProblem {
        String object = "{spec: {containers: [{name: c}]}}";
        for (String key : List.of(path.split("\\.")).reversed()) {
            object = "{" + key + ": " + object + "}";
        }

        List<Manifest> manifests =
                read("{apiVersion: a.b/v1, kind: " + kind + ", metadata: {name: n}, " + object.substring(1));

        assertThat(manifests)
                .singleElement()
                .isInstanceOf(Manifest.ManifestPods.class)
                .extracting(Manifest::title)
                .isEqualTo(kind + " n, " + path);
    }

    @Test
    void findsNoMoreTemplatesThanAPersonWrites() throws UserProblem {
        String template = "{template: {spec: {containers: [{name: c}]}}}";

        assertThat(read("{apiVersion: a.b/v1, kind: Many, spec: {groups: ["
                        + String.join(", ", Collections.nCopies(101, template)) + "]}}"))
                .hasSize(ManifestNestedTemplates.MOST);
    }

    @Test
    void readsListsWhoseItemsDoNotNameTheirKind() throws UserProblem {
        List<Manifest> manifests = read("""
                {"apiVersion": "v1", "kind": "PodList", "items": [
                  {"metadata": {"generateName": "a-"}, "spec": {"containers": []}},
                  {"metadata": {"name": "b"}, "spec": {"containers": []}}]}""");

        assertThat(manifests.stream().map(Manifest::title)).containsExactly("Pod a-*", "Pod b");
    }

    @Test
    void readsSeveralJsonDocuments() throws UserProblem {
        String pod = "{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}\n";

        assertThat(read(pod + pod)).hasSize(2);
    }

    @Test
    void resolvesAnchorsAndMergeKeys() throws UserProblem {
        ContainerRequest container = container("""
                apiVersion: v1
                kind: Pod
                spec:
                  containers:
                  - name: c
                    resources:
                      limits: &all {nvidia.com/gpu: 2}
                      requests: {<<: *all, memory: 1Gi}
                """);

        assertThat(container.requests())
                .isEqualTo(Map.of(GPU, Quantity.of(2), ResourceName.MEMORY, Quantity.of(1L << 30)));
    }

    @Test
    void aDateIsAString() throws UserProblem {
        var pod = ManifestReader.decode((Manifest.ManifestPods) read("""
                apiVersion: v1
                kind: Pod
                metadata: {annotations: {day: 2026-11-21, gpu-webhook.k8s.io/fallback-mode: keep}}
                spec: {containers: [{name: c}]}
                """).getFirst());

        assertThat(pod.annotations().fallbackMode()).isEqualTo("keep");
    }

    @Test
    void fillsRequestsFromLimitsForWhatHasALimitOnly() throws UserProblem {
        String text = podWith(", resources: {limits: {nvidia.com/gpu: 2, memory: 8}, requests: {memory: 4}}");

        assertThat(container(text).requests())
                .isEqualTo(Map.of(GPU, Quantity.of(2), ResourceName.MEMORY, Quantity.of(4)));
    }

    @Test
    void leavesRequestsAsTheyAreWhereThereAreNoLimits() throws UserProblem {
        ContainerRequest container = container(podWith(", resources: {limits: {}, requests: {nvidia.com/gpu: 2}}"));

        assertThat(container.limits()).isNull();
        assertThat(container.requests()).isEqualTo(Map.of(GPU, Quantity.of(2)));
    }

    @Test
    void writesTheObjectOutAsTheApiServerDoes() throws UserProblem {
        Manifest.ManifestPods bare = (Manifest.ManifestPods) read(podWith("")).getFirst();
        Manifest.ManifestPods empty = (Manifest.ManifestPods)
                read("{apiVersion: v1, kind: Pod, metadata: {annotations: {}}, spec: {containers: []}}")
                        .getFirst();

        assertThat(bare.pod().at("/spec/containers/0/resources").isObject()).isTrue();
        assertThat(ManifestReader.decode(bare).annotations().parent())
                .isEqualTo(PodRequestAnnotations.Parent.NO_ANNOTATIONS);
        assertThat(ManifestReader.decode(empty).annotations().parent())
                .isEqualTo(PodRequestAnnotations.Parent.NO_ANNOTATIONS);
    }

    @Test
    void refusesAKeyThatStandsTwiceInYaml() {
        assertThatThrownBy(() -> read("kind: Pod\nkind: Job\n"))
                .isInstanceOf(UserProblem.class)
                .hasMessage("f, line 2, column 1: found duplicate key kind; remove one of the two");
    }

    @Test
    void saysWhereAndHowAFileIsToBeMended() {
        assertRefused("{", "f, line 1, column 2: the file is cut short; check commas, quotes and brackets there and");
        assertRefused("{\"kind\": \"Pod\", \"kind\": \"Job\"}", "Duplicate field 'kind'; remove one of the two");
        assertRefused("a: [1\nb: }", "f, line 2, column 2: expected ',' or ']', but got :; check indentation, quotes");
        assertRefused("a: \0", "; save it as text in UTF-8");
    }

    private static void assertRefused(String text, String sentence) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(UserProblem.class).hasMessageContaining(sentence);
    }

    @Test
    void saysWhatIsExpectedOfAPod() {
        assertUnreadable("{}", "it has no spec.containers, expected at least one");
        assertUnreadable(
                "{containers: [{resources: {limits: {nvidia.com/gpu: many}}}]}",
                "limits.nvidia.com/gpu is not a quantity such as 1 or 2Gi");
    }

    private static void assertUnreadable(String spec, String sentence) {
        assertThatThrownBy(() -> ManifestReader.decode((Manifest.ManifestPods)
                        read("{apiVersion: v1, kind: Pod, metadata: {name: x}, spec: " + spec + "}")
                                .getFirst()))
                .isInstanceOf(UserProblem.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        assertThatThrownBy(() -> ManifestReader.read("f", new byte[] {'a', ':', ' ', (byte) 0xff}))
                .isInstanceOf(UserProblem.class)
                .hasMessageStartingWith("f: ");
    }
}
