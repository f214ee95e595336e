package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same cluster in all forms that are accepted, and what is said of those that are not. */
class DoctorInputTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private JsonNode cluster = JSON.createObjectNode();
    private String expected = "";

    @BeforeEach
    void readTheCaseOnce() throws IOException {
        cluster = new YAMLMapper()
                .readTree(Files.readString(Path.of("src/test/resources/doctor/all-used.yaml"))
                        .split("(?m)^---$", -1)[0]);
        expected = ok(Cli.run("doctor", "-o", "json", "--cluster-snapshot", file("whole.json", cluster.toString())));
        assertThat(expected).contains("AllUsed");
    }

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static String ok(Cli run) {
        assertThat(run.code()).as(run.err()).isZero();
        return run.out();
    }

    private static String refused(Cli run) {
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        return run.err();
    }

    private static Cli json(Path file) {
        return Cli.run("doctor", "-o", "json", "--cluster-snapshot", file);
    }

    @Test
    void gzipIsReadAlike() throws IOException {
        Path file = directory.resolve("cluster");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(cluster.toString().getBytes(StandardCharsets.UTF_8));
        }
        assertThat(ok(json(file))).isEqualTo(expected);
    }

    @Test
    void yamlIsReadAlike() throws IOException {
        assertThat(ok(json(file("cluster.yaml", new YAMLMapper().writeValueAsString(cluster)))))
                .isEqualTo(expected);
    }

    @Test
    void severalFilesAreOneCluster() throws IOException {
        ObjectNode[] parts = parts();

        assertThat(ok(Cli.run(
                        "doctor",
                        "-o",
                        "json",
                        "--cluster-snapshot",
                        file("1.json", parts[0].toString()),
                        "--cluster-snapshot",
                        file("2.json", parts[1].toString()))))
                .isEqualTo(expected);
    }

    /** Each kind in a file of its own, as in {@code kubectl cluster-info dump}; its logs are no concern. */
    @Test
    void aDirectoryIsOneCluster() throws IOException {
        ObjectNode[] parts = parts();
        Path dump = directory.resolve("dump");
        var _ = file("dump/nodes.json", parts[0].toString());
        var _ = file("dump/team/pods.yaml", new YAMLMapper().writeValueAsString(parts[1]));
        var _ = file("dump/team/train/logs.txt", "no JSON");

        assertThat(ok(json(dump))).isEqualTo(expected);
        assertThat(refused(json(Files.createDirectory(directory.resolve("empty")))))
                .contains("holds no .json or .yaml file", "kubectl cluster-info dump");
    }

    @Test
    void aStrayFileOfADumpIsNamedAndLeftOut() throws IOException {
        ObjectNode[] parts = parts();
        Path dump = directory.resolve("dump");
        var _ = file("dump/nodes.json", parts[0].toString());
        var _ = file("dump/others.json", parts[1].toString());
        var _ = file("dump/package.json", "{\"name\": \"no list\"}");
        var _ = file("dump/cut.json", "{\"kind\": \"List\", \"items\": [");

        Cli run = Cli.run("doctor", "--cluster-snapshot", dump);

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("AllUsed", "2 files", "package.json", "cut.json");
    }

    @Test
    void theTextOfStrayFilesCountsToo() throws IOException {
        for (String name : List.of("a", "b", "c")) {
            var _ = file("dump/" + name + ".json", "{\"kind\": \"List\", " + " ".repeat(700 * 1_024));
        }
        Path dump = directory.resolve("dump");

        assertThat(refused(Cli.run("doctor", "--read-limit", "1", "--cluster-snapshot", dump)))
                .contains("dump/b.json", "longer than 1 MiB", "--read-limit");
    }

    /** A pipe would never end, and neither would a link that leads back. */
    @Test
    void whatIsNoFileOfADumpIsNamedAndPassedOver() throws Exception {
        ObjectNode[] parts = parts();
        Path dump = directory.resolve("dump");
        var _ = file("dump/nodes.json", parts[0].toString());
        var _ = file("dump/others.json", parts[1].toString());
        Path pipe = dump.resolve("pipe.json");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Files.createSymbolicLink(dump.resolve("back"), dump);
        Files.createSymbolicLink(dump.resolve("itself.json"), dump.resolve("itself.json"));
        Files.createSymbolicLink(dump.resolve("zero.json"), Path.of("/dev/zero"));

        Cli run = assertTimeoutPreemptively(
                Duration.ofSeconds(60), () -> Cli.run("doctor", "--cluster-snapshot", dump, "-o", "json"));

        assertThat(run.code()).as(run.err()).isZero();
        JsonNode report = JSON.readTree(run.out());
        assertThat(report.path("pods")).isEqualTo(JSON.readTree(expected).path("pods"));
        assertThat(report.path("unchecked").findValuesAsText("consequence"))
                .contains(
                        pipe + " is no regular file; it is left out.",
                        dump.resolve("back") + " is a link to a directory; it is left out.",
                        dump.resolve("itself.json") + " is no regular file; it is left out.",
                        dump.resolve("zero.json") + " is no regular file; it is left out.");
    }

    @Test
    void aTextThatIsNestedTooDeeplyIsRefusedWithTheDepthAndThePosition() throws IOException {
        for (String open : List.of("[", "{\"x\":")) {
            String text = "{\"kind\":\"List\",\n\"items\":[{\"kind\":\"Pod\",\"x\":" + open.repeat(20_000);

            assertThat(refused(json(file("deep.json", text))))
                    .contains("deep.json, line 2, column ", "(10101) exceeds the maximum allowed (10100)")
                    .hasLineCount(1);
        }
    }

    @Test
    void aTextThatIsTooLongEndsInOneSentenceThatNamesTheKindTheLimitAndTheOption() throws IOException {
        StringBuilder text = new StringBuilder("{\"kind\":\"List\",\"items\":[");
        for (int i = 0; i < 5_000; i++) {
            text.append("{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"metadata\":{\"name\":\"e\"},\"message\":\"")
                    .append("m".repeat(250))
                    .append("\"},");
        }
        Path file = file("long.json", text + "{}]}");

        assertThat(refused(Cli.run("doctor", "--read-limit", "1", "--cluster-snapshot", file)))
                .contains("longer than 1 MiB", "events", "--read-limit")
                .hasLineCount(1);
    }

    @Test
    void aFileOfBlanksIsNoList() throws IOException {
        assertThat(refused(Cli.run("doctor", "--cluster-snapshot", file("blank.json", " ".repeat(1 << 20)))))
                .contains("begins with 64 KiB of blanks")
                .hasLineCount(1);
    }

    @Test
    void anObjectWithTooManyLabelsIsNamedAndLeftOut() throws IOException {
        ObjectNode whole = cluster.deepCopy();
        ObjectNode evil =
                whole.withArray("items").addObject().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode labels = evil.putObject("metadata")
                .put("name", "p")
                .put("namespace", "evil")
                .putObject("labels");
        for (int i = 0; i < 46_000; i++) {
            labels.put("k" + i, "");
        }

        Cli run = Cli.run("doctor", "--cluster-snapshot", file("labels.json", whole.toString()));

        assertThat(run.out()).contains("AllUsed", "1 pod", "Pod evil/p cannot be read", "more than 1000 labels");
    }

    /** The nodes, and everything else. */
    private ObjectNode[] parts() {
        ObjectNode nodes = JSON.createObjectNode().put("kind", "List");
        ObjectNode others = JSON.createObjectNode().put("kind", "List");
        nodes.putArray("items");
        others.putArray("items");
        for (JsonNode item : cluster.path("items")) {
            (item.path("kind").asText().equals("Node") ? nodes : others)
                    .withArray("items")
                    .add(item);
        }
        return new ObjectNode[] {nodes, others};
    }

    @Test
    void aFileThatIsCutShortIsRefusedWithItsLine() throws IOException {
        String whole = cluster.toPrettyString();

        assertThat(refused(json(file("half.json", whole.substring(0, whole.length() / 2)))))
                .contains("half.json, line ", "the file is cut short", "kubectl get");
        assertThat(refused(json(file("first.json", whole.substring(0, whole.length() - 2)))))
                .contains("the file is cut short");
    }

    @Test
    void gzipThatIsCutShortIsRefused() throws IOException {
        Path whole = directory.resolve("whole.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(whole))) {
            out.write(cluster.toString().getBytes(StandardCharsets.UTF_8));
        }
        byte[] bytes = Files.readAllBytes(whole);
        Path half = Files.write(directory.resolve("half.gz"), Arrays.copyOf(bytes, bytes.length / 2));

        assertThat(refused(json(half))).contains("half.gz: the file is cut short or no good gzip");
    }

    @Test
    void whatIsNoListIsRefused() throws IOException {
        assertThat(refused(json(file("pod.json", "{\"kind\":\"Pod\"}")))).contains("pod.json, line 1: is not a List");
        for (String broken : List.of("{\"kind\":\"List\"}", "{\"items\":{},\"kind\":\"List\"}")) {
            assertThat(refused(json(file("items.json", broken)))).contains("items.json, line 1: is not a List");
        }
        assertThat(ok(json(file("null.json", "{\"kind\":\"List\",\"items\":null}"))))
                .isEqualTo(ok(json(file("none.json", "{\"kind\":\"List\",\"items\":[]}"))));
        assertThat(refused(json(file("empty.json", "")))).contains("empty.json is empty");
        assertThat(refused(json(file("text.json", "hello")))).contains("is not a List");
        assertThat(refused(json(directory.resolve("away.json")))).contains("away.json does not exist");
    }

    @Test
    void otherKindsAreNoConcern() throws IOException {
        ObjectNode more = cluster.deepCopy();
        more.withArray("items").addObject().put("kind", "ConfigMap").put("apiVersion", "v1");
        more.withArray("items").addObject().put("kind", "Node").put("apiVersion", "longhorn.io/v1beta2");

        assertThat(ok(json(file("more.json", more.toString())))).isEqualTo(expected);
    }

    @Test
    void anObjectThatIsMalformedIsNamedAndTheOthersAreJudged() throws IOException {
        ObjectNode more = cluster.deepCopy();
        ObjectNode odd = more.withArray("items").addObject().put("kind", "Pod").put("apiVersion", "v1");
        odd.putObject("metadata").put("namespace", "team").put("name", "odd");
        odd.put("spec", 7);

        JsonNode report = JSON.readTree(ok(json(file("odd.json", more.toString()))));

        assertThat(report.path("pods")).isEqualTo(JSON.readTree(expected).path("pods"));
        assertThat(report.path("unchecked").findValuesAsText("consequence"))
                .contains("Pod team/odd cannot be read: spec is not a map; it is left out.");
    }

    @Test
    void theFieldThatIsMalformedIsNamedByItsPath() throws IOException {
        ObjectNode more = cluster.deepCopy();
        pod(more, "second", "{\"containers\": [{}, {\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"lots\"}}}]}");
        pod(more, "gated", "{\"schedulingGates\": [{\"name\": \"a\"}, {\"name\": 7}]}");

        JsonNode report = JSON.readTree(ok(json(file("odd.json", more.toString()))));

        assertThat(report.path("unchecked").findValuesAsText("consequence"))
                .contains(
                        "Pod team/second cannot be read: spec.containers[1].resources.limits.nvidia.com/gpu is not a"
                                + " quantity such as 1 or 2Gi; it is left out.",
                        "Pod team/gated cannot be read: spec.schedulingGates[1].name is not a string; it is left out.");
    }

    private static void pod(ObjectNode list, String name, String spec) throws IOException {
        ObjectNode pod = list.withArray("items").addObject().put("kind", "Pod").put("apiVersion", "v1");
        pod.putObject("metadata").put("namespace", "team").put("name", name);
        pod.set("spec", JSON.readTree(spec));
    }

    @Test
    void onlyAPodANodeOrANamespaceIsShown() throws IOException {
        Path file = file("cluster.json", cluster.toString());
        JsonNode pods = JSON.readTree(expected).path("pods");
        String name = pods.path(0).path("namespace").asText() + "/"
                + pods.path(0).path("name").asText();

        JsonNode pod = JSON.readTree(ok(Cli.run("doctor", "-o", "json", "--cluster-snapshot", file, "--pod", name)));
        assertThat(pod.path("pods")).containsExactly(pods.path(0));
        assertThat(pod.path("nodes")).isEmpty();
        JsonNode elsewhere =
                JSON.readTree(ok(Cli.run("doctor", "-o", "json", "--cluster-snapshot", file, "-n", "nowhere")));
        assertThat(elsewhere.path("pods")).isEmpty();
        assertThat(refused(Cli.run("doctor", "--cluster-snapshot", file, "--pod", name + "x")))
                .contains("--pod " + name + "x is not in the cluster", "nearest: " + name);
        assertThat(refused(Cli.run("doctor", "--cluster-snapshot", file, "--node", "none")))
                .contains("--node none is not in the cluster");
    }

    @Test
    void theTextSpeaksOfNothingButWhatIsAskedFor() throws IOException {
        Path file = Path.of("src/test/resources/doctor/all-used.yaml");
        String yaml = Files.readString(file).split("(?m)^---$", -1)[0];
        Path all = file("all.yaml", yaml);
        JsonNode pods = JSON.readTree(ok(json(all))).path("pods");
        String namespace = pods.path(0).path("namespace").asText();

        assertThat(ok(Cli.run("doctor", "--cluster-snapshot", all, "--node", "n1")))
                .startsWith("Nothing was found at node n1.\n")
                .doesNotContain("asks for a GPU", "waits");
        assertThat(ok(Cli.run("doctor", "--cluster-snapshot", all, "-n", "nope")))
                .startsWith("No pod of namespace nope asks for a GPU.\n");
        assertThat(ok(Cli.run("doctor", "--cluster-snapshot", all, "-n", namespace)))
                .startsWith(
                        pods.size() + " GPU pods of namespace " + namespace + " run, or wait; none needs attention.\n");
        Path cordoned = file("cordoned.yaml", yaml.replace("spec: {}", "spec: {unschedulable: true}"));
        assertThat(ok(Cli.run("doctor", "--cluster-snapshot", cordoned, "--node", "n1")))
                .startsWith("Cordoned: ");
    }

    @Test
    void theTextHasTheSentenceThatMattersFirstAndNoLineOver100Columns() throws IOException {
        String text = ok(Cli.run("doctor", "--cluster-snapshot", file("cluster.json", cluster.toString())));

        assertThat(text.lines().findFirst().orElse("")).isEqualTo("2 GPU pods run, or wait; none needs attention.");
        assertThat(text).contains("AllUsed").contains("Next: ").doesNotContain("\u001b");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void aPauseOfNothingIsNoWatch() throws IOException {
        assertThat(refused(Cli.run(
                        "doctor", "--cluster-snapshot", file("cluster.json", cluster.toString()), "--watch", "0")))
                .contains("--watch wants at least 1 second");
    }

    private Path firstDocument(String name) throws IOException {
        return file(
                name,
                Files.readString(Path.of("src/test/resources/doctor", name)).split("(?m)^---$", -1)[0]);
    }

    @Test
    void aPipelineStopsWhereItIsToldTo() throws IOException {
        Path healthy = firstDocument("all-used.yaml");
        Path waitsInVain = firstDocument("h20-3e-has-141-gb.yaml");
        Path faulty = firstDocument("mig-failed.yaml");

        for (String word : List.of("fault", "attention")) {
            assertThat(failOn(healthy, word)).as(word).isZero();
            assertThat(failOn(faulty, word)).as(word).isOne();
        }
        assertThat(failOn(waitsInVain, "fault")).isZero();
        assertThat(failOn(waitsInVain, "attention")).isOne();
        assertThat(Cli.run("doctor", "--cluster-snapshot", faulty).code()).isZero();
    }

    private static int failOn(Path cluster, String word) {
        return Cli.run("doctor", "--cluster-snapshot", cluster, "--fail-on", word)
                .code();
    }

    @Test
    void whatCouldNotBeReadStandsInTheFirstLine() throws IOException {
        Path onlyNodes = file("nodes.yaml", """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {capacity: {cpu: "1"}}}
                """);

        assertThat(ok(Cli.run("doctor", "--cluster-snapshot", onlyNodes))
                        .lines()
                        .findFirst())
                .hasValue("What the pods ask for is unknown. Not everything could be read: pods.");
    }

    @Test
    void findingsThatAreNoFaultsAreSentences() throws IOException {
        assertThat(ok(Cli.run("doctor", "--cluster-snapshot", firstDocument("amd-partitions-under-mixed-names.yaml"))))
                .contains("\nAMD's device plugin serves node mi300x-1.\n")
                .doesNotContain("AmdPlugin");
    }

    /** The text is for people, who cannot read 64 KiB of a label; a program gets all of it. */
    @Test
    void aHugeLabelIsCutInTheTextOnly() throws IOException {
        String product = "x".repeat(65_536) + "-MIG-INVALID";
        Path file = file("huge.json", """
                {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node",
                 "metadata": {"name": "n1", "labels": {"nvidia.com/gpu.product": "%s"}},
                 "status": {"capacity": {"nvidia.com/gpu": "1"}, "allocatable": {"nvidia.com/gpu": "1"},
                 "conditions": [{"type": "Ready", "status": "True"}]}}]}
                """.formatted(product));

        String text = ok(Cli.run("doctor", "--cluster-snapshot", file));

        assertThat(text.replaceAll("\\s+", " "))
                .contains("MigInvalid: The MIG instances of node n1", "xxx... (cut)")
                .hasSizeLessThan(5_000);
        assertThat(ok(json(file))).contains(product);
    }
}
