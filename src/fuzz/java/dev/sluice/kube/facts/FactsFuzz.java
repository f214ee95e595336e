package dev.sluice.kube.facts;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.Diagnosis;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.Scratch;
import java.io.IOException;
import java.util.List;

/** A file of the doctor is read and diagnosed, or refused in one line, whatever is in it. */
public final class FactsFuzz {

    private FactsFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Frugal.run(input.length, () -> read(input));
    }

    private static void read(byte[] input) throws IOException {
        try {
            ClusterFacts facts = FactsFiles.read(List.of(Scratch.file("facts", input)));
            if (Diagnosis.of(facts).pods().stream()
                    .anyMatch(pod -> pod.explanation().isEmpty())) {
                throw new AssertionError("a verdict without an explanation");
            }
        } catch (ClusterStateException refused) {
            if (String.valueOf(refused.getMessage()).lines().count() != 1) {
                throw new AssertionError("a message of several lines", refused);
            }
        }
    }
}
