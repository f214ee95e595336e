package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Pods that a real API server stores, written by somebody who wants the gateway to end, to go blind, or to overlook
 * GPUs. The packaged process watches them with its shipped flags.
 */
@AgainstControlPlane
class HostilePodsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MIB = 1024 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** As large as the API server stores it. */
    private static final int VALUES = 320_000;

    private static String pod(String name, String spec) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{" + spec
                + "\"terminationGracePeriodSeconds\":0}}";
    }

    private static String container(String inside) {
        return "\"containers\":[{\"name\":\"c\",\"image\":\"none\"" + inside + "}],";
    }

    private static String devices(String more) {
        return ",\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"8\"" + more
                + "},\"requests\":{\"nvidia.com/gpu\":\"8\"" + more + "}}";
    }

    private static String onNode(String node) {
        return "\"nodeName\":\"" + node + "\",";
    }

    private static String many(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(","));
    }

    private static String affinity(String key) {
        return "\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":{\"nodeSelectorTerms\":"
                + "[{\"matchExpressions\":[{\"key\":\"" + key + "\",\"operator\":\"In\",\"values\":["
                + many(VALUES, _ -> "\"a\"") + "]}]}]}}},";
    }

    private static Api.Answer create(Cluster cluster, String pod) throws IOException, InterruptedException {
        return cluster.plane().api().create(pod, "/api/v1/namespaces/" + cluster.namespace() + "/pods");
    }

    private static void assertStored(Api.Answer answer) {
        String beginning =
                answer.body().substring(0, Math.min(300, answer.body().length()));
        assertThat(answer.status()).as(beginning).isEqualTo(201);
    }

    private static Siege watching(Cluster cluster) throws IOException {
        return Siege.watching(cluster.plane().kubeconfig(), "");
    }

    private static long allocatedGpus(Siege siege, String node) throws IOException, InterruptedException {
        for (JsonNode each : JSON.readTree(siege.get("/api/v1/capacity").body()).path("nodes")) {
            for (JsonNode resource : each.path("resources")) {
                if (each.path("node").asText().equals(node)
                        && resource.path("resource").asText().equals("nvidia.com/gpu")) {
                    return resource.path("allocated").asLong();
                }
            }
        }
        return -1;
    }

    private static void awaitAllocated(Siege siege, String node, long gpus) {
        Eventually.within(
                PATIENCE,
                gpus + " GPUs of " + node + " are allocated",
                () -> allocatedGpus(siege, node) == gpus
                        && siege.metrics().sum("gpu_webhook_ledger_audit_findings") == 0);
    }

    private static void assertSound(Siege siege) throws IOException, InterruptedException {
        assertThat(siege.isAlive()).isTrue();
        assertThat(siege.isReady()).isTrue();
        assertThat(siege.metrics().sum("gpu_webhook_ledger_audit_findings")).isZero();
    }

    @Test
    void constraintsBeyondAllMeasureLeaveNothingInMemory(Cluster cluster) throws Exception {
        long before;
        try (Siege siege = watching(cluster)) {
            before = siege.peakBytes();
            for (int i = 0; i < 14; i++) {
                assertStored(create(cluster, pod("waits-" + i, affinity("k" + i) + container(""))));
            }
            for (int i = 0; i < 14; i++) {
                assertStored(create(cluster, pod("goes-" + i, affinity("g" + i) + container(""))));
                cluster.delete(cluster.namespace(), "goes-" + i);
            }
            awaitUnplaced(siege, 14);
            assertSound(siege);
            report("28 pods with 320,000 values, watched", before, siege);
            assertThat(siege.peakBytes()).isLessThan(450 * MIB);
        }
        try (Siege again = watching(cluster)) {
            awaitUnplaced(again, 14);
            assertSound(again);
            report("14 pods with 320,000 values, listed", before, again);
            assertThat(again.peakBytes()).isLessThan(450 * MIB);
        }
    }

    private static void awaitUnplaced(Siege siege, int pods) {
        Eventually.within(
                PATIENCE,
                pods + " pods have no place",
                () -> siege.metrics().sum("gpu_webhook_ledger_unplaced_pods") >= pods);
    }

    private static void report(String what, long before, Siege siege) throws IOException {
        System.out.println(what + ": peak " + siege.peakBytes() / MIB + " MiB, at rest " + before / MIB + " MiB");
    }

    @Test
    void namesAndTextsOfAnyLengthEndNoWatch(Cluster cluster) throws Exception {
        String gpu = cluster.namespace();
        cluster.node(gpu, Map.of("nvidia.com/gpu", "16"));
        try (Siege siege = watching(cluster)) {
            String name = "V".repeat(60_000);
            assertStored(
                    create(cluster, pod("name", container(",\"env\":[{\"name\":\"" + name + "\",\"value\":\"x\"}]"))));
            assertStored(create(
                    cluster,
                    pod(
                            "value",
                            container(",\"env\":[{\"name\":\"A\",\"value\":\"" + "x".repeat(1_300_000) + "\"}]"))));
            assertStored(create(
                    cluster, pod("argument", container(",\"args\":[\"" + "\\u00e9\\n".repeat(200_000) + "\"]"))));
            double decisions = cluster.gateway().decisions();
            assertStored(create(cluster, deep("deep", gpu, 3_000)));
            assertThat(cluster.gateway().decisions())
                    .as("a review with managedFields of 3,000 levels is decided")
                    .isGreaterThan(decisions);
            assertStored(create(cluster, pod("holds", onNode(gpu) + container(devices("")))));
            awaitAllocated(siege, gpu, 9);
            assertSound(siege);
            assertThat(siege.metrics().sum("gpu_webhook_watch_failures_total")).isZero();
        }
        try (Siege again = watching(cluster)) {
            awaitAllocated(again, gpu, 9);
            assertSound(again);
        }
        deleteByPlainRequests(cluster);
    }

    /** Typed clients refuse to read such pods, so that the fixture could not see them go. */
    private static void deleteByPlainRequests(Cluster cluster) throws IOException, InterruptedException {
        String pods = "/api/v1/namespaces/" + cluster.namespace() + "/pods";
        assertThat(cluster.plane().api().delete(pods + "?gracePeriodSeconds=0").status())
                .isEqualTo(200);
        Eventually.holds(
                "the pods are gone",
                () -> cluster.plane().api().get(pods).body().contains("\"items\":[]"));
    }

    private static String deep(String name, String node, int levels) {
        String fields =
                "{\"f:metadata\":{\"f:labels\":" + "{\"f:a\":".repeat(levels) + "{}" + "}".repeat(levels) + "}}";
        return pod(name, onNode(node) + container(",\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"1\"}}"))
                .replace(
                        "\"metadata\":{",
                        "\"metadata\":{\"managedFields\":[{\"manager\":\"m\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
                                + "\"time\":\"2026-01-01T00:00:00Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":" + fields
                                + "}],");
    }

    @Test
    void gpusAreCountedWhateverStandsBesideThem(Cluster cluster) throws Exception {
        String gpu = cluster.namespace();
        cluster.node(gpu, Map.of("nvidia.com/gpu", "64"));
        try (Siege siege = watching(cluster)) {
            String zeros = "," + many(2_048, i -> "\"a.b/x" + i + "\":\"0\"");
            String moreZeros = "," + many(4_000, i -> "\"a.b/x" + i + "\":\"0\"");
            String ones = "," + many(1_500, i -> "\"a.b/x" + i + "\":\"1\"");
            assertStored(create(cluster, pod("zeros", onNode(gpu) + container(devices(zeros)))));
            assertStored(create(cluster, pod("more-zeros", onNode(gpu) + container(devices(moreZeros)))));
            assertStored(create(cluster, pod("ones", onNode(gpu) + container(devices(ones)))));
            assertStored(create(
                    cluster,
                    pod(
                            "digits",
                            onNode(gpu)
                                    + container(devices("")
                                            .replace(
                                                    "},\"requests\"",
                                                    ",\"memory\":\"" + "9".repeat(300) + "\"},\"requests\"")))));
            assertStored(create(cluster, pod("everywhere", onNode(gpu) + affinity("k") + container(devices("")))));
            awaitAllocated(siege, gpu, 40);
            assertSound(siege);
        }
        try (Siege again = watching(cluster)) {
            awaitAllocated(again, gpu, 40);
            assertSound(again);
        }
        assertThat(cluster.gateway().metrics().sum("gpu_webhook_decisions_total", "reason=\"MalformedPod\""))
                .as("only the pod with 1,500 resources is left alone as unreadable, if any")
                .isLessThanOrEqualTo(1);
    }
}
