package dev.sluice.cli.console;

import dev.sluice.cluster.ClusterStateException;
import dev.sluice.kube.client.KubeconfigAdvice;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options with which a command asks a running gateway instead of the cluster. */
@Command
public final class RunningGatewayOption {

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Ask this gateway by its management port, such as https://gpu-webhook.example.com:9090.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable String url = null;

    @Mixin
    private final GatewayOption.Credentials credentials = new GatewayOption.Credentials();

    /** Returns the client for the gateway. Returns empty if the user has not named one. */
    public Optional<GatewayApiClient> api() throws UserProblem {
        if (url == null) {
            if (credentials.areGiven()) {
                throw new UserProblem("--token-file and --ca-file are for the gateway that --url names; add --url");
            }
            return Optional.empty();
        }
        return Optional.of(credentials.at(List.of(url)).getFirst());
    }

    /**
     * Returns the route to the gateway that the user has named, or else to one in the cluster.
     *
     * @param namespace the namespace of the gateway in the cluster
     */
    public RunningGatewayRoute route(ConnectionOption connection, String namespace)
            throws UserProblem, ClusterStateException {
        return url != null
                ? RunningGatewayRoute.to(credentials.at(List.of(url)).getFirst())
                : ForwardedRoute.open(
                        new GatewayInCluster(connection.open(KubeconfigAdvice.LIVE_OPTIONS), namespace),
                        connection,
                        credentials);
    }
}
