package dev.sluice.cli.explain;

import dev.sluice.cli.console.UserProblem;
import dev.sluice.fuzz.Frugal;
import java.util.List;

/** What {@code explain} is given is read, or refused in one line that names the file. */
public final class ManifestFuzz {

    private ManifestFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Frugal.run(input.length, () -> {
            try {
                List<Manifest> manifests = ManifestReader.read("fuzz.yaml", input);
                if (manifests.stream().anyMatch(manifest -> manifest.title().isEmpty())) {
                    throw new AssertionError("a manifest without a title");
                }
                for (Manifest manifest : manifests) {
                    if (manifest instanceof Manifest.ManifestPods pods) {
                        var _ = ManifestReader.decode(pods);
                    }
                }
            } catch (UserProblem refused) {
                if (!String.valueOf(refused.getMessage()).startsWith("fuzz.yaml")) {
                    throw new AssertionError("the message does not name the file", refused);
                }
            }
        });
    }
}
