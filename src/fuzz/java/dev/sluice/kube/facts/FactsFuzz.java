package dev.sluice.kube.facts;

import dev.sluice.cluster.SourceProblem;
import dev.sluice.fuzz.Frugal;
import dev.sluice.fuzz.Scratch;
import java.io.IOException;
import java.util.List;

/** A file of the doctor is read or refused in one line, whatever is in it. */
public final class FactsFuzz {

    private FactsFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Frugal.run(input.length, () -> read(input));
    }

    private static void read(byte[] input) throws IOException {
        try {
            var _ = FactsFiles.read(List.of(Scratch.file("facts", input)));
        } catch (SourceProblem refused) {
            if (String.valueOf(refused.getMessage()).lines().count() != 1) {
                throw new AssertionError("a message of several lines", refused);
            }
        }
    }
}
