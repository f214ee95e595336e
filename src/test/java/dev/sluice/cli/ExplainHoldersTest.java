package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What explanations of availability mode say about nodes that have the device and still no room. */
class ExplainHoldersTest {

    private static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            status: {allocatable: {cpu: "%d", memory: 128Gi, nvidia.com/gpu: "%d", pods: "%d"}}
            ---
            """;

    @TempDir
    private Path directory;

    private String text(String cluster, String requests) throws IOException {
        return explain(cluster, requests, "text");
    }

    /** Those that answer best. */
    private JsonNode firstNodes(String cluster, String requests) throws IOException {
        return new ObjectMapper()
                .readTree(explain(cluster, requests, "json"))
                .at("/pods/0/asked/0/candidates/0/nodes/0");
    }

    private String explain(String cluster, String requests, String output) throws IOException {
        Path gateway = Files.writeString(directory.resolve("gateway.yaml"), "policy: { mode: availability }\n");
        Path pod = Files.writeString(directory.resolve("pod.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: x}
                spec: {containers: [{name: c, resources: {requests: {%s}, limits: {nvidia.com/gpu: 1}}}]}
                """.formatted(requests));
        Path snapshot = Files.writeString(directory.resolve("cluster.yaml"), cluster);
        Cli explained =
                Cli.run("explain", "-f", pod, "--config", gateway, "--cluster-snapshot", snapshot, "-o", output);
        assertThat(explained.err()).isEmpty();
        return explained.out();
    }

    private static String node(String name, int cpu, int gpus) {
        return NODE.formatted(name, cpu, gpus, 110);
    }

    private static String bound(String name, String cpu, int gpus) {
        return pod(name, cpu, gpus, "spec: {nodeName: n1, ");
    }

    private static String waiting(String name, String cpu, int gpus) {
        return pod(name, cpu, gpus, "spec: {");
    }

    private static String pod(String name, String cpu, int gpus, String spec) {
        String limits = gpus == 0 ? "" : ", limits: {nvidia.com/gpu: %d}".formatted(gpus);
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: team, uid: uid-%s}
                %scontainers: [{name: c, resources: {requests: {cpu: %s}%s}}]}
                status: {phase: Pending}
                ---
                """.formatted(name, name, spec, cpu, limits);
    }

    @Test
    void namesPodsWithoutDevicesThatHoldTheCpu() throws IOException {
        String cluster = node("n1", 32, 4) + bound("web", "24", 0) + bound("train", "7", 1);

        assertThat(text(cluster, "cpu: 4"))
                .contains("n1: cpu 1 of 32 free, 4 needed, used by team/web (24), team/train (7)\n");
    }

    @Test
    void namesTheLargestFirstAndAddsUpTheRest() throws IOException {
        String cluster = node("n1", 32, 4)
                + bound("a", "500m", 0)
                + bound("b", "1500m", 0)
                + bound("c", "5", 0)
                + bound("d", "12", 0)
                + bound("e", "8", 1)
                + waiting("f", "4", 1);

        assertThat(text(cluster, "cpu: 10")).contains("""
                         in use    4     n1: cpu 1 of 32 free, 10 needed, used by team/d (12), team/e (8),
                                         team/c (5) and 2 more (2) and reserved for team/f (4)
                """);
    }

    /** All is in use, so that it would be wrong to say that there is room. */
    @Test
    void saysThatAPodIsChosenRoomByPreemption() throws IOException {
        String full = node("n1", 32, 1) + bound("a", "1", 1);

        assertThat(important(full))
                .contains("unchanged: pods of lower priority make room for it (Offered)")
                .contains("chosen; pods of lower priority give way")
                .doesNotContain("there is room");
        assertThat(important(full + node("n2", 32, 1)))
                .contains("unchanged: there is room for all it asks (Offered)")
                .doesNotContain("give way");
    }

    /** Returns what is said of a pod with a higher priority than those that are there. */
    private String important(String cluster) throws IOException {
        Path gateway = Files.writeString(directory.resolve("gateway.yaml"), "policy: { mode: availability }\n");
        Path pod = Files.writeString(directory.resolve("pod.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: x}
                spec: {priority: 1000, containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}
                """);
        Path snapshot = Files.writeString(directory.resolve("cluster.yaml"), cluster);
        return Cli.run("explain", "-f", pod, "--config", gateway, "--cluster-snapshot", snapshot)
                .out();
    }

    @Test
    void namesTheLargestHoldersOfDevicesFirst() throws IOException {
        String cluster = node("n1", 32, 8) + bound("a", "1", 1) + bound("b", "1", 2) + bound("c", "1", 5);

        assertThat(text(cluster, "cpu: 4")).contains("n1: 8 of 8 used by team/c, team/b, team/a\n");
    }

    @Test
    void saysNothingOfAmountsWhereEveryPodHoldsOne() throws IOException {
        String cluster = NODE.formatted("n1", 32, 4, 4)
                + bound("a", "1", 0)
                + bound("b", "1", 0)
                + bound("c", "1", 0)
                + bound("d", "1", 0);

        assertThat(text(cluster, "cpu: 4"))
                .contains("n1: pods 0 of 4 free, 1 needed, used by team/a, team/b, team/c and 1 more\n");
    }

    @Test
    void tellsMachinesAllHoldersOfAllThatIsShort() throws IOException {
        String cluster = node("n1", 32, 4) + bound("web", "23500m", 0) + bound("train", "3", 1) + waiting("f", "4", 1);

        JsonNode node = firstNodes(cluster, "cpu: 4");

        assertThat(node.path("answer").asText()).isEqualTo("inUse");
        assertThat(node.path("short")).hasToString("""
                [{"resource":"cpu","available":1.5,"allocatable":32,"needed":4,"heldBy":[\
                {"pod":"team/web","bound":true,"amount":23.5},\
                {"pod":"team/f","bound":false,"amount":4},\
                {"pod":"team/train","bound":true,"amount":3}]}]""");
        assertThat(node.path("heldBy")).hasToString("""
                [{"pod":"team/f","bound":false,"amount":1},{"pod":"team/train","bound":true,"amount":1}]""");
    }

    @Test
    void aNodeThatWouldNotDoEvenEmptyIsTooSmall() throws IOException {
        String cluster = node("n1", 32, 4) + node("n2", 32, 4) + bound("web", "24", 0);

        assertThat(text(cluster, "cpu: 64, memory: 256Gi"))
                .contains("too small 4     n1, n2: cpu 32, 64 needed; memory 128Gi, 256Gi needed\n")
                .doesNotContain("in use ");
        JsonNode nodes = firstNodes(cluster, "cpu: 64, memory: 64Gi");
        assertThat(nodes.path("answer").asText()).isEqualTo("tooSmall");
        assertThat(nodes.path("short")).hasToString("[{\"resource\":\"cpu\",\"allocatable\":32,\"needed\":64}]");
        assertThat(nodes.path("names")).hasToString("[\"n1\",\"n2\"]");
        assertThat(nodes.has("heldBy")).isFalse();
    }

    /** Three rows are shown; each of those left out may stand for several nodes. */
    @Test
    void countsTheNodesThatAreLeftOutAndNotTheirRows() throws IOException {
        String inUse = IntStream.range(0, 4)
                .mapToObj(i -> node("u" + i, 32, 4) + pod("web" + i, "24", 0, "spec: {nodeName: u" + i + ", "))
                .collect(Collectors.joining());
        String tooSmall = IntStream.range(0, 5)
                .mapToObj(i -> node("s" + i + "-a", 2 + i, 4) + node("s" + i + "-b", 2 + i, 4))
                .collect(Collectors.joining());

        assertThat(text(inUse + tooSmall, "cpu: 10")).contains("""
                         too small 4     s2-a, s2-b: cpu 4, 10 needed
                         and 1 more node in use
                         and 4 more nodes too small
                """);
    }

    @Test
    void showsNodesInUseBeforeThoseThatAreTooSmallAndCountsMany() throws IOException {
        String cluster = node("n1", 32, 4)
                + bound("web", "24", 0)
                + IntStream.range(0, 5).mapToObj(i -> node("s" + i, 2 + i, 4)).collect(Collectors.joining());

        assertThat(text(cluster, "cpu: 10")).contains("""
                         in use    4     n1: cpu 8 of 32 free, 10 needed, used by team/web (24)
                         too small 4     s0: cpu 2, 10 needed
                         too small 4     s1: cpu 3, 10 needed
                         too small 4     s2: cpu 4, 10 needed
                         and 2 more nodes too small
                """);
    }

    private static final String DRA = """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.nvidia.com}
            spec:
              extendedResourceName: nvidia.com/gpu
              selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: s1}
            spec:
              driver: gpu.nvidia.com
              nodeName: n1
              pool: {name: p1, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}, {name: gpu-1}, {name: gpu-2}]
            ---
            """;

    private static String claim(String name, String ofPod, String users, String... devices) {
        String metadata = ofPod.isEmpty() ? "" : """
                , annotations: {resource.kubernetes.io/extended-resource-claim: "true"}, \
                ownerReferences: [{kind: Pod, name: %s}]""".formatted(ofPod);
        String results = Stream.of(devices)
                .map("{driver: gpu.nvidia.com, pool: p1, device: %s}"::formatted)
                .collect(Collectors.joining(", "));
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: %s%s}
                status:
                  allocation: {devices: {results: [%s]}}
                  reservedFor: [%s]
                ---
                """.formatted(name, metadata, results, users);
    }

    @Test
    void namesThePodsWithTheDevicesThatDraHandsOut() throws IOException {
        JsonNode first = firstNodes(
                node("n1", 64, 0)
                        + DRA
                        + bound("by-name", "1", 1)
                        + claim("c1", "by-name", "{resource: pods, name: by-name}", "gpu-0")
                        + claim("c2", "", "{resource: pods, name: x}, {resource: pods, name: y}", "gpu-1")
                        + claim("c3", "", "", "gpu-2"),
                "");

        assertThat(first.path("answer").asText()).isEqualTo("inUse");
        assertThat(first.path("heldBy").findValuesAsText("pod"))
                .containsExactly("team/by-name", "team/x", "team/y", "the claim team/c3");
        assertThat(first.path("heldBy").findValuesAsText("amount")).containsOnly("1");
    }

    /** Pods and claims come by different watches. */
    @Test
    void aPodWhoseClaimWasNotSeenHoldsWhatItAsksFor() throws IOException {
        JsonNode first = firstNodes(
                node("n1", 64, 0) + DRA + bound("a", "1", 2) + claim("c", "", "{resource: pods, name: b}", "gpu-0"),
                "");

        assertThat(first.at("/short/0/available").asInt()).isZero();
        assertThat(first.path("heldBy").findValuesAsText("pod")).containsExactly("team/a", "team/b");
    }
}
