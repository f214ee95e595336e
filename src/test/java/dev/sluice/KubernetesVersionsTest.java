package dev.sluice;

import static dev.sluice.ProjectFiles.DOCS;
import static dev.sluice.ProjectFiles.found;
import static dev.sluice.ProjectFiles.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of tested versions says of which Kubernetes the control plane is, and which tests the others had. */
class KubernetesVersionsTest {

    private static final Path INSTALL = DOCS.resolve("install.md");
    private static final Path CONTRIBUTING = DOCS.resolve("CONTRIBUTING.md");

    private static final Pattern PINNED = Pattern.compile("(?m)^\tk8s\\.io/kubernetes v(\\S+)");
    private static final Pattern DEFAULT = Pattern.compile("(?m)^\\| (\\S+), the default \\|");
    private static final Pattern VERSION = Pattern.compile("(?m)^\\| 1\\.(\\d+)\\.\\d+\\b.*\\|$");
    private static final Pattern OTHERS = Pattern.compile("use-kubernetes (\\S+)\n");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\S+) \\| .*CONTRIBUTING");

    @Test
    void theDefaultIsTheVersionThatTheControlPlaneIsPinnedTo() {
        assertThat(found(DEFAULT, text(INSTALL))).hasSize(1).isEqualTo(found(PINNED, text(Path.of("src/it/go.mod"))));
    }

    @Test
    void threeMinorVersionsInARowAreTested() {
        List<Integer> minors =
                found(VERSION, text(INSTALL)).stream().map(Integer::valueOf).toList();
        int oldest = minors.getFirst();
        assertThat(minors).containsExactly(oldest, oldest + 1, oldest + 2);
    }

    @Test
    void theCommandIsShownForAVersionOfTheTable() {
        assertThat(found(OTHERS, text(CONTRIBUTING))).isNotEmpty().isSubsetOf(found(ROW, text(INSTALL)));
    }
}
