package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cli.Cli;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.EventFacts;
import dev.sluice.kube.facts.FactsFileWriter;
import dev.sluice.kube.facts.FactsFiles;
import dev.sluice.kube.facts.LiveFactLists;
import dev.sluice.kube.facts.LiveFacts;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The doctor reads a live cluster: here a server of the lists of a case. */
class DoctorLiveTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final YAMLMapper YAML = new YAMLMapper();

    @TempDir
    private Path directory;

    static Stream<String> cases() throws IOException {
        return DoctorCasesTest.cases();
    }

    private static JsonNode cluster(String name) throws IOException {
        return YAML.readTree(
                Files.readString(Path.of("src/test/resources/doctor", name)).split("(?m)^---$", -1)[0]);
    }

    private static JsonNode report(Cli run) throws IOException {
        assertThat(run.code()).as(run.err()).isZero();
        return JSON.readTree(run.out());
    }

    /** A tenant's Events with long messages leave themselves out, and nothing else. */
    @Test
    void anEventOfAnotherNamespaceStaysWhereOneTenantHasTooMany() throws Exception {
        ObjectNode list = JSON.createObjectNode();
        ArrayNode items = list.putArray("items");
        event(items, "first", "ml", "told");
        for (int i = 0; i < 600; i++) {
            event(items, "e" + i, "evil", "m".repeat(5_000));
        }
        event(items, "last", "ml", "told later");
        ObjectNode pod = items.addObject().put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata").put("name", "p").put("namespace", "ml");
        pod.putObject("spec").putArray("containers").addObject().put("name", "c");
        try (ListServer server = new ListServer(list);
                LiveFactLists lists = LiveFactLists.within(client(server), 8 << 20)) {
            ClusterFacts facts = lists.facts();

            assertThat(facts.pods()).hasSize(1);
            assertThat(facts.events()).extracting(EventFacts::text).containsExactly("told", "told later");
            assertThat(facts.unread())
                    .singleElement()
                    .satisfies(left -> assertThat(left.objects()).isEqualTo(600))
                    .satisfies(left -> assertThat(left.why())
                            .contains("The 600 objects of namespace evil are left out", "more than 1 MiB", "-Xmx"));
        }
    }

    /** One Lease of a tenant must not change the age of what all others say. */
    @Test
    void theTimeIsThatOfTheApiServerWhateverALeaseSays() throws Exception {
        ObjectNode list = JSON.createObjectNode();
        ObjectNode lease = list.putArray("items")
                .addObject()
                .put("apiVersion", "coordination.k8s.io/v1")
                .put("kind", "Lease");
        lease.putObject("metadata").put("name", "late").put("namespace", "evil");
        lease.putObject("spec").put("renewTime", "9999-12-31T23:59:59.000000Z");
        Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        try (ListServer server = new ListServer(list);
                LiveFactLists lists = LiveFactLists.of(client(server))) {
            assertThat(lists.facts().time()).isBetween(before, Instant.now());
        }
    }

    private static void event(ArrayNode items, String name, String namespace, String message) {
        ObjectNode event = items.addObject().put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("name", name).put("namespace", namespace);
        event.put("message", message);
    }

    private KubernetesClient client(ListServer server) throws IOException {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(server.kubeconfig(directory).toFile()))
                .build();
    }

    /** The rules read facts only, so equal facts are diagnosed alike. No case may lose a field on its way. */
    @ParameterizedTest
    @MethodSource("cases")
    void aCollectedFileHasTheFactsOfTheClusterItCameFrom(String name) throws Exception {
        try (ListServer server = new ListServer(cluster(name));
                LiveFactLists lists = LiveFactLists.of(client(server))) {
            LiveFacts live = lists.read((_, _) -> {}, /* keepsItems= */ true);
            Path collected = directory.resolve("collected.json.gz");
            FactsFileWriter.write(collected, live);

            ClusterFacts read = FactsFiles.read(List.of(collected));

            assertThat(read).usingRecursiveComparison().ignoringFields("time").isEqualTo(live.facts());
        }
    }

    @Test
    void whatWasCollectedIsDiagnosedAlike() throws IOException {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            Path collected = directory.resolve("collected.json.gz");
            Cli live = Cli.run(
                    "doctor", "--kubeconfig", server.kubeconfig(directory), "-o", "json", "--collect", collected);
            assertThat(live.code()).as(live.err()).isZero();

            Cli again = Cli.run("doctor", "--cluster-snapshot", collected, "-o", "json");

            assertThat(again.out()).as(again.err()).isEqualTo(live.out()).contains("AllUsed");
        }
    }

    @Test
    void pagesAreReadToTheLast() throws IOException {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            JsonNode report = report(Cli.run("doctor", "--kubeconfig", server.kubeconfig(directory), "-o", "json"));

            assertThat(report.path("pods").findValuesAsText("verdict")).contains("AllUsed");
            assertThat(server.asked).contains("/api/v1/pods?limit=500&continue=1");
        }
    }

    @Test
    void onlyKindsThatARuleReadsAreListed() throws IOException {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            var _ = Cli.run("doctor", "--kubeconfig", server.kubeconfig(directory));

            assertThat(server.asked.stream()
                            .map(path -> path.replaceFirst("\\?.*", ""))
                            .distinct())
                    .containsExactlyInAnyOrder(
                            "/api/v1/nodes",
                            "/api/v1/pods",
                            "/api/v1/events",
                            "/api/v1/resourcequotas",
                            "/apis/kueue.x-k8s.io/v1beta2/workloads",
                            "/apis/apps/v1/replicasets",
                            "/apis/apps/v1/statefulsets",
                            "/apis/apps/v1/daemonsets",
                            "/apis/batch/v1/jobs",
                            "/apis/scheduling.k8s.io/v1/priorityclasses",
                            "/apis/coordination.k8s.io/v1/leases",
                            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
                            "/apis/resource.k8s.io/v1/deviceclasses",
                            "/apis/resource.k8s.io/v1beta2/deviceclasses",
                            "/apis/resource.k8s.io/v1beta1/deviceclasses",
                            "/apis/resource.k8s.io/v1/resourceclaims",
                            "/apis/resource.k8s.io/v1beta2/resourceclaims",
                            "/apis/resource.k8s.io/v1beta1/resourceclaims",
                            "/apis/resource.k8s.io/v1/resourceslices",
                            "/apis/resource.k8s.io/v1beta2/resourceslices",
                            "/apis/resource.k8s.io/v1beta1/resourceslices");
        }
    }

    @Test
    void aKindThatIsForbiddenMissingOrBrokenIsUnchecked() throws IOException {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            server.refuse("events", 403);
            server.refuse("leases", 500);

            JsonNode unchecked = report(Cli.run("doctor", "--kubeconfig", server.kubeconfig(directory), "-o", "json"))
                    .path("unchecked");

            assertThat(unchecked.findValuesAsText("kind"))
                    .containsExactly("events", "deviceclasses", "resourceclaims", "resourceslices", "leases");
            assertThat(unchecked.findValuesAsText("consequence"))
                    .satisfiesExactly(
                            why -> assertThat(why)
                                    .startsWith("This account may not list them: the conditions of pods")
                                    .endsWith("."),
                            why -> assertThat(why).startsWith("The API server does not serve them: "),
                            why -> assertThat(why).startsWith("The API server does not serve them: "),
                            why -> assertThat(why).startsWith("The API server does not serve them: "),
                            why -> assertThat(why)
                                    .startsWith("They could not be listed (the API server answered 500 (not for you)): "
                                            + "whether another scheduler runs"));
        }
    }

    @Test
    void aClusterOfWhichNothingCanBeListedIsAProblem() throws IOException {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            for (String plural : List.of(
                    "nodes",
                    "pods",
                    "events",
                    "resourcequotas",
                    "replicasets",
                    "statefulsets",
                    "daemonsets",
                    "jobs",
                    "priorityclasses",
                    "mutatingwebhookconfigurations",
                    "workloads",
                    "leases")) {
                server.refuse(plural, 401);
            }

            Cli run = Cli.run("doctor", "--kubeconfig", server.kubeconfig(directory));

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err())
                    .contains("can be listed: nodes: They could not be listed", "401", "--cluster-snapshot");
        }
    }

    @Test
    void theCollectedFileIsForItsOwnerOnlyAndNothingElseStaysThere() throws IOException {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            Path kubeconfig = server.kubeconfig(directory);
            Path tickets = Files.createDirectory(directory.resolve("tickets"));
            Path file = Files.writeString(tickets.resolve("cluster.json"), "old");

            assertThat(Cli.run("doctor", "--kubeconfig", kubeconfig, "--collect", file)
                            .code())
                    .isZero();

            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(JSON.readTree(file.toFile()).path("kind").asText()).isEqualTo("List");
            try (Stream<Path> files = Files.list(tickets)) {
                assertThat(files).containsExactly(file);
            }
        }
    }

    @Test
    void aDirectoryThatDoesNotExistIsNamed() throws IOException {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            Cli run = Cli.run(
                    "doctor",
                    "--kubeconfig",
                    server.kubeconfig(directory),
                    "--collect",
                    directory.resolve("none/x.json"));

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).contains("x.json cannot be written", "name a file in a directory that exists");
        }
    }

    @Test
    void whatMayHoldASecretIsNotCollected() throws IOException {
        try (ListServer server = new ListServer(YAML.readTree(
                Path.of("src/test/resources/dev/sluice/cli/secrets.yaml").toFile()))) {
            Path file = directory.resolve("cluster.json");

            JsonNode report = report(
                    Cli.run("doctor", "--kubeconfig", server.kubeconfig(directory), "-o", "json", "--collect", file));

            assertThat(Files.readString(file))
                    .doesNotContainIgnoringCase("secret")
                    .contains("--scheduler-name=ours");
            assertThat(report.path("pods").findValuesAsText("verdict")).contains("AllUsed");
        }
    }

    @Test
    void filesAndTheLiveClusterAreNotMixed() throws IOException {
        Path file = Files.writeString(directory.resolve("list.json"), "{\"kind\":\"List\",\"items\":[]}");

        Cli run = Cli.run("doctor", "--cluster-snapshot", file, "--collect", directory.resolve("x.json"));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--collect are for the live cluster");
    }

    /** The third round has printed what it saw when the fourth begins. */
    @Test
    void aWatchTellsWhatHasChanged() throws Exception {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            Path kubeconfig = server.kubeconfig(directory);
            CompletableFuture<Cli> run = new CompletableFuture<>();
            Thread watch = Thread.ofPlatform()
                    .start(() -> run.complete(Cli.run("doctor", "--kubeconfig", kubeconfig, "--watch", "1")));
            assertThat(server.rounds.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
            server.put((ObjectNode) JSON.readTree("""
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "late", "namespace": "team"},
                     "spec": {"schedulingGates": [{"name": "example.com/wait"}],
                              "containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
                     "status": {"phase": "Pending"}}"""));
            assertThat(server.rounds.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
            watch.interrupt();

            Cli watched = run.get(30, TimeUnit.SECONDS);

            assertThat(watched.out().lines().filter(line -> line.startsWith("+ ")))
                    .singleElement()
                    .asString()
                    .startsWith("+ pod team/late SchedulingGated, also AllUsed: ");
        }
    }

    @Test
    void theProgressGoesWhenTheListsAreThrough() {
        StringWriter written = new StringWriter();
        DoctorProgressLine line = new DoctorProgressLine(new PrintWriter(written));

        line.read(ClusterFactKind.PODS, 500);
        line.read(ClusterFactKind.NODES, 20);
        line.clear();

        assertThat(written.toString()).isEqualTo("\r\u001b[KRead 500 pods\r\u001b[KRead 20 nodes, 500 pods\r\u001b[K");
    }

    @Test
    void nobodyIsToldOfProgressBesideATerminal() throws IOException {
        try (ListServer server = new ListServer(cluster("all-used.yaml"))) {
            assertThat(Cli.run("doctor", "--kubeconfig", server.kubeconfig(directory))
                            .err())
                    .isEmpty();
        }
    }
}
