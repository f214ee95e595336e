package dev.sluice.cli.demo;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import java.io.IOException;
import java.util.List;

/** A running gateway and a cluster that can be replaced. */
interface DemoStage {

    /** Replaces the cluster, waits until the gateway decides by it, and returns its snapshot. */
    ClusterSnapshot showCluster(List<Node> nodes) throws IOException, InterruptedException;

    /** Sends a review over HTTPS, as the API server would. */
    Reply review(byte[] review) throws IOException, InterruptedException;

    /** The HTTP response, whatever it is. */
    record Reply(int status, String body) {}
}
