package dev.sluice.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.facts.KubectlFileLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotFileTest {

    /** In the order in which kubectl writes its keys: the kind of the list comes after the items. */
    private static final String LIST = """
            {
                "apiVersion": "v1",
                "items": [
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"labels": {"zone": "größe"}, "name": "gpu-1",
                        "resourceVersion": "17"},
                     "spec": {"unschedulable": true, "taints": [{"effect": "NoSchedule", "key": "k"}]},
                     "status": {"allocatable": {"nvidia.com/gpu": "4"}, "capacity": {"nvidia.com/gpu": "5"},
                        "images": [{"names": ["x"]}]}},
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"taints": "no"}},
                    {"apiVersion": "longhorn.io/v1beta2", "kind": "Node", "metadata": {"name": "gpu-1"}}
                ],
                "kind": "List",
                "metadata": {"resourceVersion": ""}
            }
            """;

    private static final String YAML_LIST = """
            apiVersion: v1
            items:
            - apiVersion: v1
              kind: Node
              metadata:
                name: gpu-1
                labels: {zone: größe}
                resourceVersion: "17"
              spec:
                unschedulable: true
                taints:
                - effect: NoSchedule
                  key: k
              status:
                allocatable: {nvidia.com/gpu: 4}
                capacity: {nvidia.com/gpu: "5"}
            - apiVersion: v1
              kind: Pod
              metadata: {name: p}
            kind: List
            """;

    private static final String ONE_NODE = """
            apiVersion: v1
            kind: Node
            metadata: {name: NAME}
            status: {allocatable: {nvidia.com/gpu: "4"}}
            """;

    @TempDir
    private Path directory;

    private Path file(String content) throws Exception {
        return Files.writeString(directory.resolve("cluster"), content);
    }

    private List<String> namesIn(String content) throws Exception {
        return SnapshotFile.read(file(content)).nodes().stream().map(Node::name).toList();
    }

    private void refuses(String content, String message) throws Exception {
        Path file = file(content);
        assertThatThrownBy(() -> SnapshotFile.read(file))
                .isInstanceOf(ClusterStateException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void readsTheSameFromJsonAndYaml() throws Exception {
        SnapshotFile.SnapshotContents json = SnapshotFile.read(file(LIST));
        assertThat(json.nodes()).singleElement().satisfies(node -> {
            assertThat(node.name()).isEqualTo("gpu-1");
            assertThat(node.labels()).containsEntry("zone", "größe");
            assertThat(node.unschedulable()).isTrue();
            assertThat(node.taints()).hasToString("[k:NoSchedule]");
            assertThat(node.resourceVersion()).isEqualTo(17);
            assertThat(node.allocatable().get(ResourceName.NVIDIA_GPU)).isEqualTo(4);
            assertThat(node.capacity().get(ResourceName.NVIDIA_GPU)).isEqualTo(5);
        });
        assertThat(json.warnings()).isEmpty();
        assertThat(SnapshotFile.read(file(YAML_LIST))).isEqualTo(json);
    }

    @Test
    void readsOneNodeAndSeveralDocuments() throws Exception {
        assertThat(namesIn(ONE_NODE.replace("NAME", "a"))).containsExactly("a");
        assertThat(namesIn("# a comment\n---\n" + ONE_NODE.replace("NAME", "a") + "---\n---\n"
                        + ONE_NODE.replace("NAME", "b") + "---\nkind: Pod\n---\n" + YAML_LIST))
                .containsExactly("a", "b", "gpu-1");
        assertThat(namesIn("\uFEFF\n " + LIST)).containsExactly("gpu-1");
        assertThat(namesIn("\uFEFF" + YAML_LIST)).containsExactly("gpu-1");
    }

    @Test
    void namesANumberThatIsTooLongAndTakesAnyKey() throws Exception {
        String node = "{\"" + "k".repeat(60_000) + "\": 1, \"kind\": \"Node\", \"metadata\": {\"name\": \"n\"}}";
        assertThat(SnapshotFile.read(file(node)).nodes()).hasSize(1);
        refuses(
                "{\"a\": 1" + "0".repeat(1_000) + "}",
                "Number value length (1001) exceeds the maximum allowed (1000); ");
    }

    @Test
    void zeroWithASignIsNothing() throws Exception {
        String node =
                "{\"kind\": \"Node\", \"metadata\": {\"name\": \"n\"}, \"status\": {\"allocatable\": {\"a.b/c\": -0}}}";
        assertThat(SnapshotFile.read(file(node)).warnings()).isEmpty();
        assertThat(SnapshotFile.read(file(node)).nodes())
                .singleElement()
                .satisfies(n -> assertThat(n.allocatable().get(new ResourceName("a.b/c")))
                        .isZero());
    }

    @Test
    void readsARawNodeListWhoseItemsDoNotNameTheirKind() throws Exception {
        assertThat(namesIn("{\"kind\":\"NodeList\",\"items\":[{\"metadata\":{\"name\":\"a\"}}]}"))
                .containsExactly("a");
        assertThat(namesIn("{\"items\":[{\"metadata\":{\"name\":\"a\"}}],\"kind\":\"NodeList\"}"))
                .containsExactly("a");
        refuses("{\"items\":[{\"metadata\":{\"name\":\"a\"}}],\"kind\":\"PodList\"}", "holds no Node, only 1 × Pod");
    }

    private static String pod(String name, String node, String phase) {
        return "{\"metadata\": {\"name\": \"" + name + "\", \"namespace\": \"team\", \"uid\": \"u-" + name + "\"},"
                + " \"spec\": {\"nodeName\": \"" + node + "\", \"containers\": [{\"name\": \"c\","
                + " \"resources\": {\"requests\": {\"nvidia.com/gpu\": \"1\"}}}]},"
                + " \"status\": {\"phase\": \"" + phase + "\", \"conditions\": [{\"type\": \"Ready\"}]}";
    }

    private static final String NODE_LAST =
            "{\"metadata\": {\"name\": \"last\", \"labels\": {\"zone\": \"z\"}}, \"status\":"
                    + " {\"allocatable\": {\"nvidia.com/gpu\": 3}, \"phase\": \"\"}, \"kind\": \"Node\"}";

    @Test
    void readsNodesAndPodsTogetherWhereverTheirKindIsWritten() throws Exception {
        String items = "[" + pod("a", "n1", "Running") + ", \"kind\": \"Pod\"}, " + NODE_LAST + ", {\"kind\": \"Pod\", "
                + pod("b", "", "Pending").substring(1) + "}, {\"kind\": \"Pod\", "
                + pod("c", "n1", "Succeeded").substring(1) + "}]";
        SnapshotFile.SnapshotContents contents =
                SnapshotFile.read(file("{\"apiVersion\": \"v1\", \"items\": " + items + ", \"kind\": \"List\"}"));

        assertThat(contents.warnings()).isEmpty();
        assertThat(contents.nodes()).singleElement().satisfies(node -> {
            assertThat(node.labels()).containsEntry("zone", "z");
            assertThat(node.allocatable().get(ResourceName.NVIDIA_GPU)).isEqualTo(3);
        });
        assertThat(contents.pods()).extracting(Pod::name).containsExactly("team/a", "team/b");
        assertThat(contents.pods().getFirst().id()).isEqualTo(PodId.of("u-a"));
        assertThat(contents.pods().getFirst().place()).isEqualTo(new Pod.Place.Bound("n1"));
        assertThat(contents.pods().getFirst().requests()).hasToString("{nvidia.com/gpu: 1, pods: 1}");
    }

    private static String ended(String name, String stamp) {
        return pod(name, "n1", "Failed")
                .replace("\"uid\"", "\"annotations\": {\"gpu-webhook.k8s.io/decision\": \"" + stamp + "\"}, \"uid\"");
    }

    @Test
    void tellsOfPodsThatHaveEndedOnlyWhereSomethingWasDecidedForThem() throws Exception {
        String bare = "{\"metadata\": {\"name\": \"bare\", \"annotations\": {\"gpu-webhook.k8s.io/decision\": \"s\"}},"
                + " \"status\": {\"phase\": \"Succeeded\"}}";
        SnapshotFile.SnapshotContents contents = SnapshotFile.read(file(ONE_NODE.replace("NAME", "n1")
                + "---\n{\"kind\": \"PodList\", \"items\": [" + pod("a", "n1", "Succeeded") + "}, "
                + ended("b", "of-b") + "}, " + bare + "]}"));

        assertThat(contents.pods()).isEmpty();
        assertThat(contents.ended())
                .containsExactly(
                        new PodEvent.PodRemoved(PodId.of("u-b"), "team/b", "of-b", 0),
                        new PodEvent.PodRemoved(PodId.of("default/bare"), "default/bare", "s", 0));
        assertThat(contents.warnings()).isEmpty();
    }

    @Test
    void believesTheLastOfSeveralStatesOfAPod() throws Exception {
        String runs = pod("a", "n1", "Running") + "}";
        String ended = ended("a", "of-a") + "}";
        String list = ONE_NODE.replace("NAME", "n1") + "---\n{\"kind\": \"PodList\", \"items\": [%s, %s]}";

        SnapshotFile.SnapshotContents lastEnded = SnapshotFile.read(file(list.formatted(runs, ended)));
        assertThat(lastEnded.pods()).isEmpty();
        assertThat(lastEnded.ended()).extracting(PodEvent.PodRemoved::stamp).containsExactly("of-a");
        assertThat(lastEnded.warnings())
                .containsExactly("pod team/a is in the file more than once; the last one counts");

        SnapshotFile.SnapshotContents lastRuns = SnapshotFile.read(file(list.formatted(ended, runs)));
        assertThat(lastRuns.pods()).extracting(Pod::name).containsExactly("team/a");
        assertThat(lastRuns.ended()).isEmpty();
        assertThat(lastRuns.warnings()).isEqualTo(lastEnded.warnings());
    }

    @Test
    void readsRawPodListsBesideNodes() throws Exception {
        String items = "\"items\": [" + pod("a", "n1", "Running") + "}]";
        for (String list :
                List.of("{\"kind\": \"PodList\", " + items + "}", "{" + items + ", \"kind\": \"PodList\"}")) {
            SnapshotFile.SnapshotContents contents =
                    SnapshotFile.read(file(ONE_NODE.replace("NAME", "n1") + "---\n" + list));
            assertThat(contents.nodes()).hasSize(1);
            assertThat(contents.pods()).extracting(Pod::name).containsExactly("team/a");
        }
    }

    @Test
    void warnsOfAPodItCannotUse() throws Exception {
        SnapshotFile.SnapshotContents contents =
                SnapshotFile.read(file(ONE_NODE.replace("NAME", "n1") + "---\n{\"kind\": \"Pod\", "
                        + pod("a", "n1", "Running").substring(1).replace("\"1\"", "\"one\"") + "}"));
        assertThat(contents.pods()).isEmpty();
        assertThat(contents.warnings())
                .containsExactly(
                        "pod team/a: spec.containers[0].resources.requests.nvidia.com/gpu is not a quantity such as 1 or 2Gi");
    }

    @Test
    void warnsOfANodeItCannotUseAndKeepsTheOthers() throws Exception {
        SnapshotFile.SnapshotContents contents =
                SnapshotFile.read(file(ONE_NODE.replace("NAME", "a") + "---\n" + ONE_NODE.replace("\"4\"", "four")));
        assertThat(contents.nodes()).hasSize(1);
        assertThat(contents.warnings())
                .containsExactly("node NAME: status.allocatable.nvidia.com/gpu is not a quantity such as 1 or 2Gi");
    }

    @Test
    void ofTwoNodesWithOneNameTheLastCountsAndAWarningIsGiven() throws Exception {
        String later = ONE_NODE.replace("NAME", "a").replace("\"4\"", "\"8\"");
        SnapshotFile.SnapshotContents contents =
                SnapshotFile.read(file(ONE_NODE.replace("NAME", "a") + "---\n" + later));

        assertThat(contents.nodes())
                .singleElement()
                .satisfies(node -> assertThat(node.allocatable().get(ResourceName.NVIDIA_GPU))
                        .isEqualTo(8));
        assertThat(contents.warnings()).containsExactly("node a is in the file more than once; the last one counts");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                              | is empty
            # nothing                                       | is empty
            []                                              | line 1: is no List and no Node
            hello                                           | line 1: is no List and no Node
            {"kind":"Deployment","apiVersion":"apps/v1"}    | holds no Node, only 1 × Deployment
            {"kind":"List","items":[{"kind":"Pod"}]}        | holds no Node, only 1 × Pod
            {"kind":"PodList","items":[]}                   | holds no Node; write it with
            {"kind":"List"}                                 | line 1: the List that begins here is broken, as items is missing; write it with
            {"items":{},"kind":"List"}                      | the List that begins here is broken, as items is not a list; write it with
            {"kind":"NodeList","items":"foo"}               | the NodeList that begins here is broken, as items is not a list; write it with
            {"kind":"PodList"}                              | the PodList that begins here is broken, as items is missing; write it with
            {"kind":"LimitRangeList"}                       | the LimitRangeList that begins here is broken, as items is missing; write it with
            {"kind":"DaemonSetList"}                        | the DaemonSetList that begins here is broken, as items is missing; write it with
            {"kind":"Node"}                                 | holds no usable node; node : metadata.name is missing
            {"items":[]}                                    | the document that begins here has no kind
            {"kind":"List","items":[{"kind":"Node"          | line 1, column 39: the file is cut short
            {"kind":"List" "items":[]}                      | line 1, column 16: Unexpected character
            {"kind":"List","items":[]} trailing             | column 28: the word 'trailing' is no JSON; write
            a: [b                                           | line 1, column
            a: b: c                                         | line 1, column 5: mapping values are not allowed here
            """)
    void refusesWhatIsNoSnapshot(String content, String message) throws Exception {
        refuses(content, message);
    }

    /** As kubectl writes it where there are neither nodes nor pods; Go encodes a slice that is nil as null. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"apiVersion\":\"v1\",\"items\":[],\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"\"}}",
                "apiVersion: v1\nitems: []\nkind: List\n",
                "{\"kind\":\"NodeList\",\"items\":null}",
                "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":null}"
            })
    void anEmptyListIsAClusterWithoutNodes(String content) throws Exception {
        SnapshotFile.SnapshotContents contents = SnapshotFile.read(file(content));

        assertThat(contents.nodes()).isEmpty();
        assertThat(contents.warnings()).isEmpty();
    }

    @Test
    void refusesWhatIsCutShortAnywhere() throws Exception {
        String yaml = YAML_LIST.strip();
        for (int length = 1; length < LIST.strip().length(); length += 7) {
            refuses(LIST.substring(0, length), "");
        }
        for (int length = 1; length < yaml.length() - "kind: List".length(); length += 7) {
            refuses(yaml.substring(0, length), "");
        }
    }

    @Test
    void saysWhenTheEncodingIsWrong() throws Exception {
        Path file = directory.resolve("cluster");
        Files.write(file, LIST.getBytes(StandardCharsets.UTF_16));
        assertThatThrownBy(() -> SnapshotFile.read(file)).hasMessageContaining("is UTF-16");
        Files.write(file, LIST.getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> SnapshotFile.read(file)).hasMessageContaining("UTF-8");
        Files.write(file, YAML_LIST.getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> SnapshotFile.read(file)).hasMessageContaining("UTF-8");
    }

    @Test
    void saysWhenThereIsNoFile() {
        assertThatThrownBy(() -> SnapshotFile.read(directory.resolve("none")))
                .isInstanceOf(ClusterStateException.class)
                .hasMessageContaining("none does not exist; write it with: kubectl get");
        assertThatThrownBy(() -> SnapshotFile.read(directory)).hasMessageContaining("is a directory");
    }

    @Test
    void readsYamlBeyondTheParsersUsualLimit() throws Exception {
        String filler = "  annotations: {x: '" + "y".repeat(400_000) + "'}\n";
        StringBuilder content = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            content.append("---\nkind: Node\nmetadata:\n")
                    .append(filler)
                    .append("  name: n")
                    .append(i)
                    .append('\n');
        }
        assertThat(namesIn(content.toString())).hasSize(10);
    }

    @Test
    void objectsThatTakeTooMuchMemoryEndTheReadingWithOneSentence() throws Exception {
        String pods = IntStream.range(0, 1_000)
                .mapToObj(
                        number -> "{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"namespace\": \"evil\","
                                + " \"name\": \"p" + number + "\", \"uid\": \"" + number
                                + "\"}, \"spec\": {\"containers\": []}}")
                .collect(Collectors.joining(","));
        String kindless = pods.replace("\"kind\": \"Pod\", \"apiVersion\": \"v1\", ", "");
        for (String items : List.of(pods, kindless)) {
            Path file = file("{\"apiVersion\": \"v1\", \"items\": [" + items + "], \"kind\": \"List\"}");

            assertThatThrownBy(() -> SnapshotFile.read(file, new KubectlFileLimits(100_000, Long.MAX_VALUE)))
                    .hasMessageStartingWith(file + ": all objects together would take more than 1 MiB, most of them ")
                    .hasMessageContaining("; a larger heap allows more, for example with SLUICE_JAVA_OPTS=-Xmx");
            assertThatThrownBy(() -> SnapshotFile.read(file, new KubectlFileLimits(10_000_000, Long.MAX_VALUE)))
                    .hasMessageContaining("holds no Node, only 1000 × ");
        }
    }

    @Test
    void thousandsOfMalformedObjectsGiveAHundredWarnings() throws Exception {
        String nodes = (ONE_NODE.replace("\"4\"", "four") + "---\n").repeat(300);

        SnapshotFile.SnapshotContents contents = SnapshotFile.read(file(nodes + ONE_NODE.replace("NAME", "a")));

        assertThat(contents.nodes()).hasSize(1);
        assertThat(contents.malformedNodes().total()).isEqualTo(300);
        assertThat(contents.warnings()).hasSize(101).last().isEqualTo("there are 200 more warnings of this kind");
    }

    @Test
    void anyNumberOfKindsMakesOneShortSentence() throws Exception {
        String items = IntStream.range(0, 5_000)
                .mapToObj(number -> "{\"kind\": \"K" + number + "\", \"apiVersion\": \"v1\"}")
                .collect(Collectors.joining(","));

        assertThatThrownBy(() -> SnapshotFile.read(file("{\"kind\": \"List\", \"items\": [" + items + "]}")))
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(500));
    }

    @Test
    void aTextThatIsNestedTooDeeplyIsRefusedWithTheDepthAndThePosition() throws Exception {
        Path file = file("{\"kind\": \"List\",\n\"items\": [{\"x\": " + "[".repeat(20_000));

        assertThatThrownBy(() -> SnapshotFile.read(file))
                .hasMessageStartingWith(file + ", line 2, column ")
                .hasMessageContaining("(10101) exceeds the maximum allowed (10100)")
                .hasMessageNotContaining("`");
    }
}
