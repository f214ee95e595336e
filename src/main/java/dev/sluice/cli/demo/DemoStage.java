package dev.sluice.cli.demo;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import java.io.IOException;
import java.util.List;

/** A running gateway whose cluster the demo can replace. */
interface DemoStage {

    /** Replaces the cluster, waits until the gateway decides with the new one, and returns the new snapshot. */
    ClusterSnapshot showCluster(List<Node> nodes) throws IOException, InterruptedException;

    /** Sends a review over HTTPS, as the API server does. */
    Reply review(byte[] review) throws IOException, InterruptedException;

    /** An HTTP response with any status. */
    record Reply(int status, String body) {}
}
