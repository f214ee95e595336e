package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.kube.facts.FactsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosisTest {

    @TempDir
    private Path directory;

    /** Whatever is kept for other pods, of one part or of several, changes nothing that is said of a pod. */
    @Test
    void saysTheSameInPartsAsAtOnce() throws Exception {
        int pods = 0;
        try (Stream<Path> cases = Files.list(Path.of("src/test/resources/doctor"))) {
            for (Path golden : cases.sorted().toList()) {
                Path cluster = directory.resolve("cluster.yaml");
                Files.writeString(cluster, Files.readString(golden).split("(?m)^---$", -1)[0]);
                ClusterFacts facts = FactsFiles.read(List.of(cluster));
                ClusterDiagnosis atOnce = Diagnosis.of(facts);

                assertThat(Diagnosis.of(facts, DiagnosisLimits.NONE, /* parts= */ 3, IntStream::parallel))
                        .as(golden.toString())
                        .isEqualTo(atOnce);
                pods += atOnce.pods().size();
            }
        }
        assertThat(pods).isPositive();
    }
}
