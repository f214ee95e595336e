package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** {@code --report} writes about a whole cluster, and what users have written stays text. */
class DoctorReportTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CLUSTER = Path.of("src/test/resources/report/cluster.yaml");

    private static final String HOSTILE = "x\"'><script>alert(1)</script>|`[y](javascript:z)`\n# *h* https://e.example";

    @TempDir
    private Path directory;

    private static String written(Path report, Path cluster) throws IOException {
        Cli run = Cli.run("doctor", "--cluster-snapshot", cluster, "--report", report);
        assertThat(run.code()).as(run.err()).isZero();
        return Files.readString(report);
    }

    private String text(Path cluster) throws Exception {
        return ReportText.of(html(cluster));
    }

    private String html(Path cluster) throws IOException {
        return written(directory.resolve("report.html"), cluster);
    }

    /** The file beside the cluster is what a reader gets; look at every change of it. */
    @Test
    void theReportIsAsExpected() throws Exception {
        assertThat(text(CLUSTER)).isEqualTo(Files.readString(Path.of("src/test/resources/report/cluster.txt")));
    }

    @Test
    void aResourceOfWhichThereIsNothingHasNoBar() throws Exception {
        assertThat(text(Path.of("conf/demo/clusters/mixed.yaml")))
                .contains("| `nvidia.com/gpu` | [: 0 of 0 in use] | 0 |");
    }

    /** Two kubelets report the largest number of AMD's GPUs, and a third one that of two MIG profiles. */
    @Test
    void noSumOfTheLargestNumbersIsNegative() throws Exception {
        String golden = Files.readString(Path.of("src/test/resources/doctor/all-used-of-the-largest-numbers.yaml"));
        Path cluster = Files.writeString(directory.resolve("cluster.yaml"), golden.split("(?m)^---$", -1)[0]);

        assertThat(text(cluster))
                .contains("9,223,372,036,854,775,807")
                .doesNotContainPattern("-[0-9,]{6}")
                .containsPattern(
                        "9223372036854775807 × 1g.10gb, 9223372036854775807 × 7g.80gb.*9223372036854775807 of 7");
    }

    /** The device plugin registers each instance four times, under its own name or another one. */
    @ParameterizedTest
    @ValueSource(strings = {"nvidia.com/mig-1g.10gb", "nvidia.com/mig-1g.10gb.shared"})
    void timeSlicedInstancesAreCountedOnce(String resource) throws Exception {
        Path cluster = Files.writeString(directory.resolve("cluster.yaml"), """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: Node
                  metadata:
                    name: m
                    labels:
                      nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB
                      nvidia.com/gpu.count: "1"
                      nvidia.com/mig.strategy: mixed
                      nvidia.com/mig-1g.10gb.replicas: "4"
                  status:
                    capacity: {%1$s: "28"}
                    allocatable: {%1$s: "28"}
                """.formatted(resource));

        assertThat(text(cluster)).containsPattern("7 × 1g.10gb.*7 of 7").doesNotContain("28 × 1g.10gb");
    }

    @Test
    void theReportIsWrittenBesideTheOrdinaryOutput() throws IOException {
        Path html = directory.resolve("b.HTML");
        String alone = Cli.run("doctor", "--cluster-snapshot", CLUSTER).out();

        Cli run = Cli.run("doctor", "--cluster-snapshot", CLUSTER, "--report", html);

        assertThat(run.out()).isEqualTo(alone);
        assertThat(Files.readString(html)).startsWith("<!DOCTYPE html>\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(html)))
                .isEqualTo("rw-------");
    }

    @Test
    void aReportIsOnTheWholeClusterWhateverElseIsAskedFor() throws IOException {
        Path report = directory.resolve("node.html");

        Cli run = Cli.run("doctor", "--cluster-snapshot", CLUSTER, "--node", "l40s-1", "--report", report);

        assertThat(run.out()).contains("l40s-1").doesNotContain("a100-mig-2");
        assertThat(Files.readString(report)).isEqualTo(html(CLUSTER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"report.pdf", "report.md", "report", "html", ".."})
    void anotherEndingIsWrongUseBeforeAnythingIsRead(String name) {
        Path none = directory.resolve("none.json");

        Cli run = Cli.run("doctor", "--cluster-snapshot", none, "--report", directory.resolve(name));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(name + " does not end in .html").doesNotContain("none.json");
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed() {
        Cli run = Cli.run("doctor", "--cluster-snapshot", CLUSTER, "--report", directory.resolve("none/report.html"));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("report.html cannot be written", "name a file in a directory that exists");
    }

    @Test
    void theNumbersAreThoseOfTheCapacityCommandWithoutWhatClosedNodesHaveFree() throws Exception {
        String report = text(CLUSTER);
        JsonNode capacity = JSON.readTree(
                Cli.run("capacity", "--cluster-snapshot", CLUSTER, "-o", "json").out());

        assertThat(capacity.path("cluster")).hasSizeGreaterThan(5);
        for (JsonNode sum : capacity.path("cluster")) {
            String resource = sum.path("resource").asText();
            if (resource.contains("/")) {
                assertThat(report)
                        .containsPattern("\\| `" + resource + "` \\| \\[.*] \\| "
                                + sum.path("allocatable").asText() + "( of \\d+)? \\| "
                                + sum.path("allocated").asText() + " \\| "
                                + sum.path("reserved").asText() + " \\| "
                                + (sum.path("available").asLong() - freeOnCordoned(capacity, resource)) + " \\|");
            }
        }
        assertThat(freeOnCordoned(capacity, "nvidia.com/gpu")).isPositive();
    }

    private static long freeOnCordoned(JsonNode capacity, String resource) {
        long free = 0;
        for (JsonNode node : capacity.path("nodes")) {
            for (JsonNode amount : node.path("resources")) {
                boolean counts = node.path("cordoned").asBoolean()
                        && amount.path("resource").asText().equals(resource);
                free += counts ? amount.path("available").asLong() : 0;
            }
        }
        return free;
    }

    @Test
    void theReportNamesVersionsImagesAndCommands() throws Exception {
        assertThat(text(CLUSTER))
                .contains("570.86.15", "k8s-device-plugin:v0.17.0", "6 of 8 in use", "the model has no 1g.5gb")
                .contains("the most are 3 on node h100-3", "kubectl describe node h100-1", "team-physics");
    }

    @Test
    void theHtmlLoadsAndRunsNothing() throws IOException {
        assertThat(html(CLUSTER))
                .contains("default-src 'none'", "prefers-color-scheme: dark", "@media print")
                .doesNotContain("http:", "https:", "<script", "src=", "@import", "url(");
    }

    private Path hostileCluster() throws IOException {
        ObjectNode cluster = (ObjectNode) new YAMLMapper().readTree(CLUSTER.toFile());
        for (JsonNode item : cluster.path("items")) {
            ObjectNode metadata = (ObjectNode) item.path("metadata");
            switch (item.path("kind").asText()) {
                case "Node" -> ((ObjectNode) metadata.path("labels")).put("nvidia.com/gpu.product", HOSTILE);
                case "Pod" -> {
                    metadata.put("namespace", HOSTILE);
                    ((ObjectNode) item.path("spec").path("containers").path(0)).put("image", HOSTILE);
                }
                default -> metadata.put("name", HOSTILE).put("namespace", HOSTILE);
            }
        }
        return Files.writeString(directory.resolve("hostile.json"), cluster.toString());
    }

    @Test
    void hostileNamesStayTextInHtml() throws Exception {
        String html = html(hostileCluster());
        NodeList elements = ReportText.parsed(html).getElementsByTagName("*");
        Set<String> names = new TreeSet<>();
        Set<String> attributes = new TreeSet<>();
        for (int i = 0; i < elements.getLength(); i++) {
            names.add(elements.item(i).getNodeName());
            for (int j = 0; j < elements.item(i).getAttributes().getLength(); j++) {
                attributes.add(elements.item(i).getAttributes().item(j).getNodeName());
            }
            if (elements.item(i) instanceof Element link && link.hasAttribute("href")) {
                assertThat(link.getAttribute("href")).matches("#s\\d+");
            }
        }

        assertThat(html).contains("&lt;script&gt;alert(1)&lt;/script&gt;|`[y](javascript:z)` # *h*");
        assertThat(names)
                .isSubsetOf(
                        "a body b code div h1 h2 h3 main nav p path rect section span svg table tbody td th thead title tr"
                                .split(" "));
        assertThat(attributes).isSubsetOf("aria-hidden class d height href id role rx viewBox width x y".split(" "));
    }

    private Path manyNodes(int nodes, boolean unlike) throws IOException {
        ObjectNode cluster = (ObjectNode) new YAMLMapper().readTree(CLUSTER.toFile());
        ArrayNode items = (ArrayNode) cluster.path("items");
        JsonNode one = items.path(0);
        for (int i = 0; i < nodes; i++) {
            ObjectNode node = one.deepCopy();
            ((ObjectNode) node.path("metadata")).put("name", "more-" + i);
            ((ObjectNode) node.path("spec")).put("unschedulable", true);
            if (unlike) {
                String parts = String.valueOf(i + 1);
                ((ObjectNode) node.path("status").path("capacity")).put("example.com/part", parts);
                ((ObjectNode) node.path("status").path("allocatable")).put("example.com/part", parts);
            }
            items.add(node);
        }
        return Files.writeString(directory.resolve("many.json"), cluster.toString());
    }

    @Test
    void ofManyNodesSomeAreDrawnAndTheRestIsSummedByModel() throws Exception {
        Path cluster = manyNodes(300, /* unlike= */ true);
        String html = html(cluster);

        assertThat(html.split("<div class=\"node ", -1)).hasSize(1 + 40);
        assertThat(html)
                .contains("269 more nodes are not drawn", "The same holds for nodes ")
                .doesNotContain("more faults are not shown")
                .hasSizeLessThan(200_000);
        assertThat(text(cluster)).contains("| NVIDIA-H100-80GB-HBM3 | 266 | `nvidia.com/gpu` |");
    }

    @Test
    void ofManyFaultsSomeAreToldAndTheOthersAreCounted() throws Exception {
        String nodes = IntStream.range(0, 50)
                .mapToObj(number -> """
                    {"kind": "Node", "metadata": {"name": "n%d"}, "status": {"capacity": {"nvidia.com/gpu": "%d"},
                      "allocatable": {"nvidia.com/gpu": "%d"}, "conditions": [{"type": "Ready", "status": "True"}]}}\
                    """.formatted(number, 10 + number, 9 + number))
                .collect(Collectors.joining(", "));

        assertThat(reportOn("{\"kind\": \"List\", \"items\": [" + nodes + "]}"))
                .contains("10 more faults are not shown: 10 × UnhealthyDevices.");
    }

    @Test
    void nodesThatAreAlikeShareAPicture() throws Exception {
        assertThat(text(manyNodes(300, /* unlike= */ false)))
                .contains("more-0 and 299 like it")
                .doesNotContain("are not drawn");
    }

    @Test
    void whatIsFreeOnACordonedOrFailedNodeIsNotAvailable() throws Exception {
        String node = """
            {"kind": "Node", "metadata": {"name": "%s"}, "spec": {"unschedulable": %s}, "status": {
              "capacity": {"nvidia.com/gpu": "8"}, "allocatable": {"nvidia.com/gpu": "8"},
              "conditions": [{"type": "Ready", "status": "%s"}]}}""";
        String list = "{\"kind\": \"List\", \"items\": [{\"kind\": \"Pod\", \"metadata\": {\"name\": \"a\"}}, "
                + String.join(
                        ", ",
                        node.formatted("cordoned", true, "True"),
                        node.formatted("failed", false, "Unknown"),
                        node.formatted("open", false, "True"))
                + "]}";

        assertThat(reportOn(list))
                .contains("- 8 of 24 nvidia.com/gpu available")
                .contains("[fbc: 0 of 8 in use, 16 not offered]")
                .contains("nodes that are cordoned or not ready does not count as available: nodes cordoned, failed.");
    }

    @Test
    void aTotalOfWhichAPartIsUnknownIsNotGood() throws Exception {
        String cluster = """
            {"kind": "List", "sluice": {"listed": ["nodes", "pods"]%s}, "items": []}""";
        Path known = Files.writeString(directory.resolve("known.json"), cluster.formatted(""));
        Path unknown = Files.writeString(
                directory.resolve("unknown.json"),
                cluster.formatted(", \"failed\": {\"events\": \"This account may not list them\"}"));

        assertThat(html(known)).contains("<div class=\"tile good\"><b>0</b><span>nodes have a fault");
        assertThat(html(unknown))
                .contains("<div class=\"tile doubtful\"><b>0</b><span>nodes have a fault")
                .doesNotContain("tile good");
    }

    @Test
    void theTitleHasTheNameOfTheCluster() throws Exception {
        assertThat(reportOn("{\"kind\": \"List\", \"sluice\": {\"cluster\": \"gpu-<b>prod\"}, \"items\": []}"))
                .startsWith("# GPU cluster report: gpu-<b>prod");
    }

    @Test
    void whatIsWantedMostStandsFirst() throws Exception {
        assertThat(text(CLUSTER))
                .containsSubsequence(
                        "nvidia.com/gpu available, 7 wanted", "nvidia.com/mig-2g.20gb available, 1 wanted");
    }

    @Test
    void aReportOfACollectedFileIsThatOfTheLiveCluster() throws Exception {
        try (ListServer server = new ListServer(new YAMLMapper().readTree(CLUSTER.toFile()))) {
            Path live = directory.resolve("live.html");
            Path collected = directory.resolve("collected.json");

            Cli run = Cli.run(
                    "doctor", "--kubeconfig", server.kubeconfig(directory), "--collect", collected, "--report", live);

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(html(collected))
                    .isEqualTo(Files.readString(live))
                    .contains("<code>k8s-mig-manager:v0.10.0</code>");
            assertThat(Files.readString(collected))
                    .doesNotContain("registry.example.com", "nvcr.io", "train:1", "other.example.com");
        }
    }

    @Test
    void aClusterWithoutGpusHasAReportToo() throws Exception {
        Path empty = Files.writeString(directory.resolve("empty.json"), "{\"kind\":\"List\",\"items\":[]}");

        assertThat(text(empty))
                .contains("0 nodes, 0 pods.", "- 0 of 0 nodes have GPUs", "No pod asks for a GPU.")
                .contains("| pods | No object was collected")
                .doesNotContain("webhook", "## MIG", "## GPU nodes", "## Quotas");
        assertThat(Stream.of(html(empty).split("\n", -1)).filter(line -> line.startsWith("<h2>")))
                .hasSize(2);
    }

    private String reportOn(String list) throws Exception {
        return text(Files.writeString(directory.resolve("list.json"), list));
    }

    private String reportOnCase(String name) throws Exception {
        return text(Files.writeString(
                directory.resolve("case.yaml"),
                Files.readString(Path.of("src/test/resources/doctor", name)).split("(?m)^---$", -1)[0]));
    }

    @Test
    void aSharedGpuAndASliceByStrategySingleAreTold() throws Exception {
        assertThat(reportOnCase("findings.yaml"))
                .contains(
                        "| NVIDIA-A100-SXM4-80GB-MIG-3g.40gb | strategy single | 14 × 3g.40gb | 42 | possible | 1 |"
                                + " single |",
                        "| `nvidia.com/gpu` | mps |  | 1 | mps |",
                        "| `nvidia.com/gpu` | shared |  | 1 | suffix |",
                        "| `rdma/hca` | 8 | 2 |");
    }

    @Test
    void aNodeWithMigAndNoInstanceIsTold() throws Exception {
        assertThat(reportOnCase("mig-without-instances.yaml")).containsPattern("\\| 0( of \\d+)? \\| no instance \\|");
    }

    @Test
    void claimsAndNodesOfDynamicResourceAllocationAreCounted() throws Exception {
        assertThat(reportOnCase("claim-allocated.yaml"))
                .contains("## Dynamic resource allocation")
                .containsPattern("1 of \\d+ resource claims are allocated");
    }

    @Test
    void whatIsInUseIsNotTakenForFreeWhereNoPodIsKnown() throws Exception {
        String nodes = JSON.writeValueAsString(new YAMLMapper().readTree(CLUSTER.toFile()))
                .replace("\"kind\":\"Pod\"", "\"kind\":\"Other\"");

        assertThat(reportOn(nodes))
                .contains("The pods are not known, so that nothing counts as allocated.")
                .doesNotContain("## Fragmentation");
    }

    @Test
    void aWebhookThatIsMissingOrNotTrustedIsTold() throws Exception {
        assertThat(reportOn("""
                        {"kind": "List", "sluice": {"listed": ["mutatingwebhookconfigurations"]}, "items": []}""")).contains("No webhook of Sluice is registered: the API server asks it about no pod.");
        assertThat(reportOn("""
                        {"kind": "List", "items": [], "sluice": {"failed": {"mutatingwebhookconfigurations":
                         "This account may not list them"}}}"""))
                .contains("This account may not list them: it is not known whether the API server asks Sluice");
        String cluster = JSON.writeValueAsString(new YAMLMapper().readTree(CLUSTER.toFile()));
        assertThat(reportOn(cluster.replaceFirst("\"caBundle\":\"[^\"]*\"", "\"caBundle\":\"bm90aGluZw==\"")))
                .contains("**no certificate: the API server cannot trust the gateway**");
        assertThat(reportOn(cluster.replace("2026-11-20", "2046-11-20"))).contains("**expired on 2036-11-20**");
    }
}
