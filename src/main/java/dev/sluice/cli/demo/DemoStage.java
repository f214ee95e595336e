package dev.sluice.cli.demo;

import dev.sluice.node.Node;
import dev.sluice.snapshot.ClusterSnapshot;
import java.io.IOException;
import java.util.List;

/** Where the tour is played: a running gateway before a cluster that can be exchanged. */
public interface DemoStage {

    /** Shows the gateway another cluster, waits until it decides by it, and returns what it decides by. */
    ClusterSnapshot showCluster(List<Node> nodes) throws IOException, InterruptedException;

    /** Sends a review over HTTPS, as the API server would. */
    Reply review(byte[] review) throws IOException, InterruptedException;

    /** What came back, whatever it is. */
    record Reply(int status, String body) {}
}
