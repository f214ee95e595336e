package dev.sluice.cli.console;

import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;

/** A gateway in the cluster whose management port is forwarded to the loopback address of this machine. */
public record ForwardedGateway(LocalPortForward port) implements AutoCloseable {

    /** Returns a client for the forwarded port. */
    public GatewayApiClient api() throws UserProblem {
        return GatewayApiClient.at("http://127.0.0.1:" + port.getLocalPort(), GatewayCredentials.NONE);
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
