package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.sluice.kube.facts.HostileObjects;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged gateway diagnoses one random cluster of a hostile tenant after the other. It stays, and it says of the
 * pods of others what it says without the tenant. {@code -Dhostile.minutes=60} makes it an hour.
 */
class HostileDiagnosisIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The gateway answers with an error if a diagnosis has not ended four minutes after the pause before it. */
    private static final Duration OVERDUE = Duration.ofMinutes(4);

    private static final int MOST_OBJECTS = 4_000;
    private static final int PODS_OF_OTHERS = 3;

    @Test
    void theDiagnosisOfOthersStaysWhateverATenantCreates(@TempDir Path directory) throws Exception {
        HostileObjects objects = new HostileObjects();
        Random seeds = new Random();
        Path file = HostileObjects.write(directory.resolve("cluster.json"), objects.others());
        try (Siege siege = Siege.diagnosingFile(file)) {
            Eventually.within(
                    PATIENCE, "there are verdicts", () -> ofOthers(siege).size() == PODS_OF_OTHERS);
            Map<String, String> expected = ofOthers(siege);
            long begun = System.nanoTime();
            long end = begun + HostileHourIT.length().toNanos();
            int clusters = 0;
            long slowest = 0;
            do {
                int seed = seeds.nextInt();
                ArrayNode items = objects.others();
                objects.addRandom(items, new Random(seed), 1 + seeds.nextInt(MOST_OBJECTS));
                Files.move(
                        HostileObjects.write(directory.resolve("next.json"), items),
                        file,
                        StandardCopyOption.ATOMIC_MOVE);
                long moved = System.nanoTime();
                try {
                    // The first of them may have read the file before.
                    HostileTenantIT.awaitNext(siege, OVERDUE);
                    HostileTenantIT.awaitNext(siege, OVERDUE);
                } catch (AssertionError late) {
                    throw new AssertionError("seed " + seed, late);
                }
                slowest = Math.max(slowest, System.nanoTime() - moved);
                assertThat(ofOthers(siege)).as("seed %d", seed).isEqualTo(expected);
                assertThat(siege.isAlive() && siege.isReady())
                        .as("seed %d", seed)
                        .isTrue();
                clusters++;
            } while (System.nanoTime() < end);
            System.out.printf(
                    "a hostile diagnosis: %d clusters, two diagnoses in at most %d ms, %d ms of processor time in %d ms,"
                            + " peak %d MiB%n",
                    clusters,
                    Duration.ofNanos(slowest).toMillis(),
                    siege.cpuTime().toMillis(),
                    Duration.ofNanos(System.nanoTime() - begun).toMillis(),
                    siege.peakBytes() >> 20);
            assertThat(siege.peakBytes()).isLessThan(HostileTenantIT.LIMIT);
            assertThat(HostileTenantIT.controls(siege.log())).isZero();
        }
    }

    private static Map<String, String> ofOthers(Siege siege) throws IOException, InterruptedException {
        HttpResponse<String> answer = siege.get("/api/v1/diagnosis");
        assertThat(HostileTenantIT.controls(answer.body())).isZero();
        Map<String, String> verdicts = new TreeMap<>();
        for (JsonNode pod : JSON.readTree(answer.body()).path("pods")) {
            if (pod.path("namespace").asText().equals("good")) {
                verdicts.put(
                        pod.path("name").asText(),
                        pod.path("verdict") + " " + pod.path("also") + " " + pod.path("reasons"));
            }
        }
        return verdicts;
    }
}
