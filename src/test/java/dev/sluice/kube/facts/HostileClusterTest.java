package dev.sluice.kube.facts;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileClusterTest {

    @TempDir
    private Path directory;

    @Test
    void hugeTextsOfAllKindsChangeNothingEither() throws Exception {
        new HostileCluster(directory).endureEachPlace(HostileObjects.Choice.HUGE);
    }

    @Test
    void nothingThatATenantCreatesChangesTheVerdictsOfOthers() throws Exception {
        HostileCluster cluster = new HostileCluster(directory);
        for (int seed = 0; seed < 12; seed++) {
            cluster.endure(seed, 60);
        }
    }
}
