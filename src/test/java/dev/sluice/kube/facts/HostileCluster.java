package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sluice.cli.Cli;
import dev.sluice.cli.HostileText;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.DiagnosisLimits;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.kube.facts.HostileObjects.Choice;
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
        OBJECTS.addRandom(items, new Random(seed), objects);
        endureCluster(items, "seed " + seed);
    }

    /** Fails if the doctor does not withstand a cluster in which each text of each kind is chosen once. */
    void endureEachPlace(Choice choice) throws Exception {
        ArrayNode items = OBJECTS.others();
        OBJECTS.addOfEachPlace(items, choice);
        endureCluster(items, choice.toString());
    }

    private void endureCluster(ArrayNode items, String name) throws Exception {
        if (expected.isEmpty()) {
            expected.addAll(ofOthers(OBJECTS.others()));
            assertThat(expected).hasSize(3);
        }
        long before = LiveFactsCpuTime.ofThread();

        assertThat(ofOthers(items)).as(name).isEqualTo(expected);

        Path file = HostileObjects.write(directory.resolve("cluster.json"), items);
        Path page = directory.resolve("page.html");
        Cli text = Cli.run("doctor", "--cluster-snapshot", file, "--report", page);
        assertThat(text.code()).as(name + ": " + text.err()).isZero();
        String json =
                Cli.run("doctor", "--cluster-snapshot", file, "-o", "json").out();
        for (String output : List.of(text.out(), Files.readString(page), json)) {
            assertThat(HostileText.unsafe(output)).as(name).isEmpty();
        }
        assertThat(JSON.readTree(json).path("pods").isArray()).isTrue();
        assertThat(Duration.ofNanos(LiveFactsCpuTime.ofThread() - before))
                .as(name)
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
}
