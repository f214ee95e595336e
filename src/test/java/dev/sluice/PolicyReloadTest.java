package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.cli.ServePolicyFiles;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.log.LogLines;
import dev.sluice.reload.PolicyVerticle;
import dev.sluice.reload.ReloadedPolicySource.PolicyReading;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Policy and injection rules of one mounted ConfigMap, changed while reviews come in. */
class PolicyReloadTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Asked for 2g.20gb, a pod gets a whole GPU and 1 cpu by the one, and a GPU of AMD's and 2 cpu by the other. */
    private static final String ONE = "nvidia.com/gpu";

    private static final String OTHER = "amd.com/gpu";

    @TempDir
    private Path mount;

    private int versions;

    @BeforeEach
    void mountTheFirst() throws IOException {
        Path data = Files.createSymbolicLink(mount.resolve("..data"), version(ONE, 1));
        Files.createSymbolicLink(mount.resolve("gateway.yaml"), data.resolve("gateway.yaml"));
        Files.createSymbolicLink(mount.resolve("rules.json"), data.resolve("rules.json"));
    }

    private Path version(String given, int cpu) throws IOException {
        Path directory = Files.createDirectory(mount.resolve("..v" + versions++));
        Files.writeString(directory.resolve("gateway.yaml"), """
                policy: { chains: { nvidia.com/mig-2g.20gb: [%s] } }
                injection: { file: %s }
                """.formatted(given, mount.resolve("rules.json")));
        Files.writeString(directory.resolve("rules.json"), """
                {"resourceMap": {"T": {"%s": {"resourceList": [{"name": "cpu", "coefficient": %d}]}}}}
                """.formatted(given, cpu));
        return directory;
    }

    /** As kubelet does: the link to all files is replaced at once. */
    private void swap(Path version) throws IOException {
        Path link = Files.createSymbolicLink(mount.resolve("..tmp"), version);
        Files.move(link, mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }

    private ConfigOption option() {
        return CommandLine.populateCommand(
                new ConfigOption(), "--config", mount.resolve("gateway.yaml").toString());
    }

    private GatewayUnderTest gateway() throws Exception {
        return gateway(option());
    }

    private GatewayUnderTest gateway(ConfigOption option) throws Exception {
        Loading.Loaded loaded = (Loading.Loaded) option.load();
        GatewayUnderTest gateway = GatewayUnderTest.start(
                ActivePolicy.first(loaded.config().policy(), loaded.injector()),
                new ServePolicyFiles(option, loaded.config()));
        Path cluster = Files.writeString(mount.resolve(".cluster.yaml"), """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {nvidia.com/gpu: 4}}}
                - {apiVersion: v1, kind: Node, metadata: {name: b}, status: {allocatable: {amd.com/gpu: 4}}}
                """);
        gateway.show(SnapshotFile.read(cluster));
        return gateway;
    }

    private static byte[] review() {
        return """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "team-a",
                 "object": {"metadata": {"annotations": {"task.bkbcs.tencent.com/gpu-type": "T"}},
                   "spec": {"containers": [{"name": "c", "resources": {
                     "limits": {"nvidia.com/mig-2g.20gb": "1"}, "requests": {"nvidia.com/mig-2g.20gb": "1"}}}]}}}}
                """.getBytes(StandardCharsets.UTF_8);
    }

    /** What the pod gets: {@code nvidia.com/gpu 1} with one cpu. */
    private static String given(String answer) throws IOException {
        JsonNode response = JSON.readTree(answer).path("response");
        StringBuilder given = new StringBuilder();
        for (JsonNode step : JSON.readTree(response.path("patch").binaryValue())) {
            String path = step.path("path").asText();
            if (path.contains("/limits/") && step.path("op").asText().equals("add")) {
                given.append(path.substring(path.lastIndexOf('/') + 1).replace("~1", "/"))
                        .append('=')
                        .append(step.path("value").asText())
                        .append(' ');
            }
        }
        return given.toString();
    }

    private static double metric(GatewayUnderTest gateway, String name) throws IOException, InterruptedException {
        String page = gateway.client()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + gateway.managementPort() + "/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        return page.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }

    private static void await(GatewayUnderTest gateway, String name, double value) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (metric(gateway, name) != value) {
            assertThat(System.nanoTime()).as(name + " is " + value).isLessThan(end);
        }
    }

    @Test
    void losesNoReviewAndMixesNoGenerationsUnderLoad() throws Exception {
        try (GatewayUnderTest gateway = gateway();
                ExecutorService pool = Executors.newFixedThreadPool(3)) {
            AtomicBoolean done = new AtomicBoolean();
            List<Future<List<String>>> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(pool.submit(() -> {
                    List<String> answers = new ArrayList<>();
                    while (!done.get()) {
                        answers.add(given(gateway.post(review())));
                    }
                    return answers;
                }));
            }
            for (int generation = 2; generation <= 4; generation++) {
                swap(generation % 2 == 0 ? version(OTHER, 2) : version(ONE, 1));
                await(gateway, "gpu_webhook_policy_generation", generation);
            }
            done.set(true);
            List<String> all = new ArrayList<>();
            for (Future<List<String>> client : clients) {
                all.addAll(client.get());
            }
            assertThat(all)
                    .hasSizeGreaterThan(50)
                    .contains("cpu=1 nvidia.com/gpu=1 ", "amd.com/gpu=1 cpu=2 ")
                    .allMatch(answer ->
                            answer.equals("cpu=1 nvidia.com/gpu=1 ") || answer.equals("amd.com/gpu=1 cpu=2 "));
            assertThat(given(gateway.post(review()))).isEqualTo("amd.com/gpu=1 cpu=2 ");
        }
    }

    @Test
    void aWrongFileNeverReplacesAGoodOne() throws Exception {
        try (GatewayUnderTest gateway = gateway()) {
            Path wrong = version(OTHER, 2);
            Files.writeString(wrong.resolve("rules.json"), "{\"resourceMap\": {\"T\": {\"amd.com/gpu\": {");
            swap(wrong);
            await(gateway, "gpu_webhook_policy_refused_total", 1);
            assertThat(given(gateway.post(review()))).isEqualTo("cpu=1 nvidia.com/gpu=1 ");
            assertThat(metric(gateway, "gpu_webhook_policy_generation")).isEqualTo(1);

            swap(version(OTHER, 2));
            await(gateway, "gpu_webhook_policy_generation", 2);
            assertThat(given(gateway.post(review()))).isEqualTo("amd.com/gpu=1 cpu=2 ");
        }
    }

    /** As kubelet does: the links to new files are made after the link to all files was replaced. */
    @Test
    void aMountedDirectoryIsReadAgainAsAWhole() throws Exception {
        try (GatewayUnderTest gateway = gateway(new ConfigOption(mount))) {
            assertThat(given(gateway.post(review()))).isEqualTo("cpu=1 nvidia.com/gpu=1 ");

            Path next = version(ONE, 2);
            Files.writeString(
                    next.resolve("gateway.yaml"), "injection: { file: " + mount.resolve("rules.json") + " }\n");
            Files.writeString(
                    next.resolve("rules.json"),
                    Files.readString(version(OTHER, 2).resolve("rules.json")));
            Files.writeString(
                    next.resolve("chains.yaml"), "policy: { chains: { nvidia.com/mig-2g.20gb: [" + OTHER + "] } }\n");
            swap(next);
            Files.createSymbolicLink(mount.resolve("chains.yaml"), mount.resolve("..data/chains.yaml"));
            await(gateway, "gpu_webhook_policy_generation", 2);
            assertThat(given(gateway.post(review()))).isEqualTo("amd.com/gpu=1 cpu=2 ");

            Files.writeString(mount.resolve("more.yaml"), "policy: { chains: { nvidia.com/mig-2g.20gb: [] } }\n");
            await(gateway, "gpu_webhook_policy_files_refused", 1);
            assertThat(given(gateway.post(review()))).isEqualTo("amd.com/gpu=1 cpu=2 ");

            Files.delete(mount.resolve("more.yaml"));
            await(gateway, "gpu_webhook_policy_files_refused", 0);
            assertThat(metric(gateway, "gpu_webhook_policy_generation")).isEqualTo(2);
        }
    }

    /** Its words are those that are in use already, so that no new generation tells of the repair. */
    @Test
    void aRepairIsAnnounced() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(PolicyVerticle.class);
        LogLines lines = new LogLines();
        logger.addAppender(lines);
        try (GatewayUnderTest gateway = gateway()) {
            Path wrong = version(ONE, 1);
            Files.writeString(wrong.resolve("rules.json"), "{");
            swap(wrong);
            await(gateway, "gpu_webhook_policy_files_refused", 1);
            swap(version(ONE, 1));
            await(gateway, "gpu_webhook_policy_files_refused", 0);

            assertThat(metric(gateway, "gpu_webhook_policy_generation")).isEqualTo(1);
            assertThat(lines.list.stream()
                            .filter(line -> line.getLevel() == Level.INFO)
                            .map(ILoggingEvent::getFormattedMessage)
                            .filter(line -> line.contains("rejected")))
                    .containsExactly("the rejected configuration is valid again and active");
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void availabilityModeBeginsWithARestartOnly() throws IOException {
        ConfigOption option = option();
        ServePolicyFiles files = new ServePolicyFiles(option, ((Loading.Loaded) option.load()).config());
        Path next = version(ONE, 1);
        Files.writeString(next.resolve("gateway.yaml"), "policy: { mode: availability }\n");
        swap(next);

        assertThat(files.read())
                .isInstanceOf(PolicyReading.UnusablePolicy.class)
                .asString()
                .contains("restart");
    }

    @Test
    void watchesTheFileThatARefusedConfigurationNames() throws IOException {
        ConfigOption option = option();
        ServePolicyFiles files = new ServePolicyFiles(option, ((Loading.Loaded) option.load()).config());
        Path renamed = mount.resolve("renamed.json");
        Path next = version(ONE, 1);
        Files.writeString(next.resolve("gateway.yaml"), "injection: { file: " + renamed + " }");
        swap(next);

        assertThat(files.read()).isInstanceOf(PolicyReading.UnusablePolicy.class);
        assertThat(files.files()).containsExactly(mount.resolve("gateway.yaml"), renamed);

        Files.writeString(renamed, "{}");
        assertThat(files.read()).isInstanceOf(PolicyReading.UsablePolicy.class);
    }

    @Test
    void aReloadGoesOnWatchingTheInjectionFile() throws IOException {
        ConfigOption option = option();
        ServePolicyFiles files = new ServePolicyFiles(option, ((Loading.Loaded) option.load()).config());
        swap(version(OTHER, 2));
        assertThat(files.read()).isInstanceOf(PolicyReading.UsablePolicy.class);
        assertThat(files.files()).containsExactly(mount.resolve("gateway.yaml"), mount.resolve("rules.json"));

        Path third = version(OTHER, 3);
        swap(third);
        PolicyReading.UsablePolicy usable = (PolicyReading.UsablePolicy) files.read();
        assertThat(usable.injector()).isEqualTo(((Loading.Loaded) option.load()).injector());
        assertThat(files.files()).containsExactly(mount.resolve("gateway.yaml"), mount.resolve("rules.json"));
    }

    @Test
    void anEmptyFileIsRefusedUnlessItWasEmptyAtTheStart() throws IOException {
        ConfigOption option = option();
        ServePolicyFiles files = new ServePolicyFiles(option, ((Loading.Loaded) option.load()).config());
        Path next = version(ONE, 1);
        swap(next);
        for (String empty : List.of("", "# about to be written\n", "{}")) {
            Files.writeString(next.resolve("gateway.yaml"), empty);
            assertThat(files.read())
                    .isInstanceOf(PolicyReading.UnusablePolicy.class)
                    .asString()
                    .contains("the file is empty");
        }
        ServePolicyFiles emptyAtTheStart = new ServePolicyFiles(option, ((Loading.Loaded) option.load()).config());
        assertThat(emptyAtTheStart.read()).isInstanceOf(PolicyReading.UsablePolicy.class);

        Files.writeString(next.resolve("gateway.yaml"), "policy: {}");
        assertThat(files.read()).isInstanceOf(PolicyReading.UsablePolicy.class);
    }

    @Test
    void saysWhichChangedKeysWaitForARestart() throws IOException {
        ConfigOption option = option();
        ServePolicyFiles files = new ServePolicyFiles(option, ((Loading.Loaded) option.load()).config());
        assertThat(files.files()).containsExactly(mount.resolve("gateway.yaml"), mount.resolve("rules.json"));

        Path next = version(ONE, 1);
        Files.writeString(next.resolve("gateway.yaml"), """
                webhook: { port: 9443 }
                kubernetes: { context: other }
                policy: { whenNotOffered: deny }
                """);
        swap(next);

        PolicyReading.UsablePolicy usable = (PolicyReading.UsablePolicy) files.read();
        assertThat(usable.waiting()).containsExactly("webhook.port: 8443 -> 9443", "kubernetes.context: null -> other");
        assertThat(files.files()).containsExactly(mount.resolve("gateway.yaml"));
    }

    @Test
    void takesTheLevelOfTheLogOverAtOnceAndItsFormatAfterARestart() throws IOException {
        Logger ours = (Logger) LoggerFactory.getLogger("dev.sluice");
        Level before = ours.getLevel();
        ConfigOption option = option();
        ServePolicyFiles files = new ServePolicyFiles(option, ((Loading.Loaded) option.load()).config());
        Path next = version(ONE, 1);
        Files.writeString(next.resolve("gateway.yaml"), "log: { format: json, level: debug }");
        swap(next);

        try {
            PolicyReading.UsablePolicy usable = (PolicyReading.UsablePolicy) files.read();

            assertThat(ours.getLevel()).isEqualTo(Level.DEBUG);
            assertThat(usable.waiting()).containsExactly("log.format: TEXT -> JSON");
        } finally {
            ours.setLevel(before);
        }
    }
}
