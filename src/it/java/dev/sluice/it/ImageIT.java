package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The image, made by the command of {@code src/docs/install.md}, unpacked, and run as {@code k8s/base} runs it. */
@AgainstControlPlane
class ImageIT {

    private static final Path PROJECT = Path.of("src", "build", "image");
    private static final Path TARBALL = PROJECT.resolve("target").resolve("jib-image.tar");
    private static final Path RUN = Path.of("src", "it", "run-image").toAbsolutePath();
    private static final boolean IS_ROOT = Objects.equals(System.getProperty("user.name"), "root");
    private static final ObjectMapper JSON = new ObjectMapper();

    private @Nullable Gateway gateway;

    @AfterEach
    void itEnds() throws InterruptedException {
        if (gateway != null) {
            gateway.stop();
        }
    }

    @Test
    void theUnpackedImageAnswersReviewsAsAPodOfTheManifests(Cluster cluster) throws Exception {
        build("train");
        Path unpacked = cluster.plane().scratch("image");
        JsonNode settings = unpack(unpacked);
        assertThat(settings.at("/config/User").asText()).isEqualTo("65532:65532");
        assertThat(settings.at("/config/Entrypoint").toString()).isEqualTo("[\"/opt/sluice/bin/sluice\"]");
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

    private static Gateway run(ControlPlane plane, Path root, JsonNode settings) throws Exception {
        Path serviceAccount = plane.scratch("service-account-of-image");
        Account account = Account.inPod(plane, serviceAccount);
        return new Gateway(plane, "image", account, Gateway.SHIPPED_POLICY, "{}", mounted -> {
            List<String> words = new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private"));
            if (!IS_ROOT) {
                words.add("--map-root-user");
            }
            words.addAll(List.of("env", "-i"));
            settings.at("/config/Env").forEach(variable -> words.add(variable.asText()));
            account.environment().forEach((name, value) -> words.add(name + "=" + value));
            words.addAll(
                    List.of("/bin/sh", RUN.toString(), root.toString(), mounted.toString(), serviceAccount.toString()));
            words.addAll(List.of("/opt/sluice/bin/sluice", "serve", "--config", "/etc/sluice/gateway.yaml"));
            return words;
        });
    }

    /** Two trainings never make the same cache, so that one is left out here. */
    @Test
    void twoBuildsOfTheSameFilesAreTheSameImage() throws Exception {
        build("none");
        String first = Files.readString(PROJECT.resolve("target").resolve("jib-image.digest"));
        build("none");
        assertThat(PROJECT.resolve("target").resolve("jib-image.digest")).hasContent(first);
    }

    private static void build(String cache) {
        String jdk = System.getProperty("java.home");
        List<String> words = Stream.of(
                        "mvn",
                        "-q",
                        "-B",
                        Boolean.getBoolean("build.offline") ? "-o" : "-ntp",
                        "-f",
                        PROJECT.resolve("pom.xml").toString(),
                        "clean",
                        "package",
                        "-Dimage.jdk=" + jdk,
                        "-Dimage.aot=" + cache)
                .toList();
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
