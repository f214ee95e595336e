package dev.sluice.cli.console;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "With --url: the bearer token for a gateway with management.access: kubernetes.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable Path tokenFile = null;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "With --url: PEM file of the authorities that may have signed its certificate.")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private @Nullable Path caFile = null;

    /** Returns the client for the gateway. Returns empty if the user has not named one. */
    public Optional<GatewayApiClient> api() throws UserProblem {
        if (url == null) {
            if (tokenFile != null || caFile != null) {
                throw new UserProblem("--token-file and --ca-file are for the gateway that --url names; add --url");
            }
            return Optional.empty();
        }
        return Optional.of(GatewayApiClient.at(
                url, new GatewayCredentials(Optional.ofNullable(tokenFile), Optional.ofNullable(caFile))));
    }
}
