package dev.sluice.cli.demo;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.kube.facts.FactsFiles;
import dev.sluice.kube.facts.LiveFactsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Reads the facts for the diagnosis from the file of the cluster that the gateway uses after the tour. During the tour
 * the gateway uses other clusters, so the diagnosis waits.
 */
final class DemoFacts implements LiveFactsReader {

    private final CompletableFuture<Path> file = new CompletableFuture<>();

    /** Sets the file of the cluster, so that the diagnosis can begin. */
    void shown(Path cluster) {
        var _ = file.complete(cluster);
    }

    @Override
    public ClusterFacts read() throws ClusterStateException {
        try {
            return FactsFiles.read(List.of(file.get()));
        } catch (InterruptedException | ExecutionException stopped) {
            throw new ClusterStateException("the tour of the demo has not ended", stopped);
        }
    }
}
