package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sluice.cli.Cli;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisLimits;
import dev.sluice.doctor.PodDiagnosis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A tenant chooses every text of its objects, and nobody else notices: the doctor ends in time, prints no control
 * character, and says of the pods of others what it says without the tenant.
 */
final class HostileCluster {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HostileObjects OBJECTS = new HostileObjects();

    /** The longest processor time of a run, with some hundreds of objects. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final List<String> expected = new ArrayList<>();

    private final Path directory;

    HostileCluster(Path directory) {
        this.directory = directory;
    }

    /** Fails if the doctor does not withstand a random cluster. */
    void endure(int seed, int objects) throws Exception {
        ArrayNode items = OBJECTS.others();
        if (expected.isEmpty()) {
            expected.addAll(ofOthers(items));
            assertThat(expected).hasSize(3);
        }
        OBJECTS.addRandom(items, new Random(seed), objects);
        long before = LiveFactsCpuTime.ofThread();

        assertThat(ofOthers(items)).as("seed " + seed).isEqualTo(expected);

        Path file = HostileObjects.write(directory.resolve("cluster.json"), items);
        Path page = directory.resolve("page.html");
        Cli text = Cli.run("doctor", "--cluster-snapshot", file, "--report", page);
        assertThat(text.code()).as("seed " + seed + ": " + text.err()).isZero();
        assertThat(controls(text.out()) + controls(Files.readString(page)))
                .as("seed " + seed)
                .isZero();
        JsonNode json = JSON.readTree(
                Cli.run("doctor", "--cluster-snapshot", file, "-o", "json").out());
        assertThat(json.path("pods").isArray()).isTrue();
        assertThat(Duration.ofNanos(LiveFactsCpuTime.ofThread() - before))
                .as("seed " + seed)
                .isLessThan(LONGEST);
    }

    private List<String> ofOthers(ArrayNode items) throws Exception {
        Path file = HostileObjects.write(directory.resolve("facts.json"), items);
        ClusterDiagnosis report =
                Diagnosis.of(FactsFiles.read(List.of(file)), DiagnosisLimits.of(LiveFactsCpuTime::ofThread, 192 << 20));
        return report.pods().stream()
                .filter(pod -> pod.namespace().equals("good"))
                .map(HostileCluster::told)
                .toList();
    }

    private static String told(PodDiagnosis pod) {
        return pod.name() + " " + pod.verdict() + pod.also() + pod.reasons();
    }

    private static long controls(String text) {
        return text.chars()
                .filter(c -> c != '\n' && (Character.isISOControl(c) || c == 0x2028 || c == 0x202e))
                .count();
    }
}
