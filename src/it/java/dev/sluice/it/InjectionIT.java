package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.golden.GoldenCase;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What belongs to a GPU, given to pods of a real cluster. */
@AgainstControlPlane
class InjectionIT {

    private static final String GPU = "nvidia.com/gpu";

    private static String rules(int cpu, int memory) {
        return """
                {"resourceMap": {"V100": {"nvidia.com/gpu": {
                  "resourceList": [
                    {"name": "cpu", "coefficient": %d, "unit": "m"},
                    {"name": "memory", "coefficient": %d, "unit": "Gi"},
                    {"name": "nvidia.com/shm", "coefficient": 1.5}
                  ],
                  "annotations": {"tke.cloud.tencent.com/networks": "tke-route-eni"}}}}}
                """.formatted(cpu, memory);
    }

    private static Pod pod(String name, String type, Container... containers) {
        return new PodBuilder(Pods.named(name, Pods.spec(containers)))
                .editMetadata()
                .addToAnnotations("task.bkbcs.tencent.com/gpu-type", type)
                .endMetadata()
                .build();
    }

    @AfterEach
    void injectNothing(Cluster cluster) throws Exception {
        cluster.gateway().injectNothing();
    }

    @Test
    void theWorkedExampleComesOut(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4", "nvidia.com/shm", "100"));
        cluster.gateway().inject(rules(4000, 8));

        Pod alone = cluster.create(pod("alone", "V100", Pods.container("main", GPU, 2)))
                .pod();
        assertThat(Pods.limits(alone))
                .isEqualTo("{cpu=8, memory=16Gi, nvidia.com/gpu=2, nvidia.com/shm=3}")
                .isEqualTo(Pods.requests(alone));
        assertThat(alone.getMetadata().getAnnotations())
                .containsEntry("tke.cloud.tencent.com/networks", "tke-route-eni");

        Pod beside = cluster.create(
                        pod("beside", "V100", Pods.container("main", GPU, 2), Pods.container("side", "cpu", 1)))
                .pod();
        assertThat(Pods.limits(beside)).isEqualTo("{cpu=7, memory=16Gi, nvidia.com/gpu=2, nvidia.com/shm=3}");
    }

    @Test
    void followsTheGpuThatIsGivenInsteadOfASlice(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        cluster.gateway()
                .inject(rules(4000, 8)
                        .replace("{\"name\": \"nvidia.com/shm\", \"coefficient\": 1.5}", "")
                        .replace("\"Gi\"},", "\"Gi\"}"));

        Pod pod = cluster.create(pod("pod", "V100", Pods.container("main", "nvidia.com/mig-2g.20gb", 1)))
                .pod();

        assertThat(Pods.limits(pod))
                .isEqualTo("{cpu=4, memory=8Gi, nvidia.com/gpu=1}")
                .isEqualTo(Pods.requests(pod));
        assertThat(Pods.fallback(pod)).isEqualTo("2g.20gb->gpu");
    }

    @Test
    void refusesWithNumbers(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        cluster.gateway().inject(rules(4000, 8));

        Api.Answer answer =
                cluster.create(pod("pod", "V100", Pods.container("main", GPU, 1), Pods.container("side", "cpu", 5)));

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.message()).contains("container side: requests of 5 cpu", "too large", "allow 4 (1 too much)");
    }

    @Test
    void podsWithTheAnnotationAloneReachTheGatewayAndPass(Cluster cluster) throws Exception {
        double before = cluster.gateway().reviews();

        Api.Answer answer = cluster.create(pod("pod", "V100", Pods.container("main", "cpu", 1)));

        assertThat(answer.status()).isEqualTo(201);
        assertThat(cluster.gateway().reviews()).isEqualTo(before + 1);
    }

    @Test
    void reloadsUnderLoadWithoutLosingAPodOrMixingRules(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(GPU, "4"));
        cluster.gateway().inject(rules(1000, 1));
        Pod pod = pod("pod", "V100", Pods.container("main", GPU, 1));
        AtomicBoolean done = new AtomicBoolean();
        List<String> given = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            List<Future<List<String>>> users = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                users.add(pool.submit(() -> {
                    List<String> seen = new ArrayList<>();
                    while (!done.get()) {
                        seen.add(Pods.limits(cluster.dryRun(pod).pod()));
                    }
                    return seen;
                }));
            }
            for (int i = 2; i <= 4; i++) {
                cluster.gateway().inject(rules(i * 1000, i));
            }
            done.set(true);
            for (Future<List<String>> user : users) {
                given.addAll(user.get());
            }
        }
        assertThat(given)
                .hasSizeGreaterThan(20)
                .allMatch(
                        limits -> limits.matches("\\{cpu=([1-4]), memory=\\1Gi, nvidia.com/gpu=1, nvidia.com/shm=1}"));
        assertThat(Pods.limits(cluster.dryRun(pod).pod())).startsWith("{cpu=4, memory=4Gi");
    }

    @Test
    void thePatchedPodsOfTheGoldenCasesAreAccepted(Cluster cluster) throws Exception {
        Map<String, String> patches = new TreeMap<>();
        Map<String, String> pods = new TreeMap<>();
        for (GoldenCase golden : injectionCases()) {
            JsonNode patch = golden.response().path("patch");
            if (!patch.isMissingNode()) {
                patches.put(golden.name(), patch.toString());
                pods.put(golden.name(), podOf(golden));
            }
        }
        assertThat(patches).hasSizeGreaterThan(12);
        try (Witness witness = new Witness(
                        cluster,
                        call -> Reply.allow()
                                .patch(patches.getOrDefault(
                                        call.object()
                                                .path("metadata")
                                                .path("labels")
                                                .path("case")
                                                .asText(),
                                        "[]")))
                .registered()) {
            String path = "/api/v1/namespaces/" + witness.namespace() + "/pods?dryRun=All";
            for (String name : patches.keySet()) {
                Api.Answer answer = cluster.plane().api().create(pods.getOrDefault(name, ""), path);
                assertThat(answer.status()).as("%s: %s", name, answer.message()).isEqualTo(201);
            }
            assertThat(witness.calls()).hasSize(patches.size());
        }
    }

    private static List<GoldenCase> injectionCases() throws IOException {
        return GoldenCase.all().stream()
                .filter(golden -> golden.name().startsWith("injection-"))
                .toList();
    }

    /**
     * With what an API server insists on; the name of the case is a label, because the witness needs to know it again.
     */
    private static String podOf(GoldenCase golden) {
        ObjectNode pod = (ObjectNode) golden.pod();
        ObjectNode metadata = pod.withObjectProperty("metadata");
        metadata.put("name", "train").remove("namespace");
        metadata.putObject("labels").put("case", golden.name());
        for (String list : List.of("containers", "initContainers")) {
            pod.path("spec").path(list).forEach(container -> ((ObjectNode) container).put("image", "train"));
        }
        return pod.toString();
    }
}
