package dev.sluice.kube.facts;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link HostileClusterTest} with larger clusters, which are different each time, for {@code -Dhostile.minutes=60}. */
@Tag("campaign")
class HostileClusterIT {

    @TempDir
    private Path directory;

    @Test
    void nothingThatATenantCreatesForAnHourChangesTheVerdictsOfOthers() throws Exception {
        HostileCluster cluster = new HostileCluster(directory);
        Random seeds = new Random();
        long end = System.nanoTime()
                + Duration.ofMinutes(Integer.getInteger("hostile.minutes", 1)).toNanos();
        while (System.nanoTime() < end) {
            cluster.endure(seeds.nextInt(), 1 + seeds.nextInt(4_000));
        }
    }
}
