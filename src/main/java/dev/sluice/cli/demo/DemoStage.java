package dev.sluice.cli.demo;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ClusterStateException;
import java.io.IOException;
import java.nio.file.Path;

/** A running gateway whose cluster the demo can replace. */
interface DemoStage {

    /**
     * Replaces the cluster of the gateway by the cluster in the file. Waits until the gateway uses the new cluster, and
     * returns the snapshot of that cluster.
     */
    ClusterSnapshot showCluster(Path file) throws IOException, InterruptedException, ClusterStateException;

    /** Sends a review over HTTPS, as the API server does. */
    Reply review(byte[] review) throws IOException, InterruptedException;

    /** An HTTP response. It can have any status. */
    record Reply(int status, String body) {}
}
