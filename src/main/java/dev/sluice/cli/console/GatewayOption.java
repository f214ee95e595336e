package dev.sluice.cli.console;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select a running gateway and the credentials for it. */
@Command
public final class GatewayOption {

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:9090",
            description = "The management port of the gateway (${DEFAULT-VALUE}).")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private String url = "http://localhost:9090";

    @Mixin
    private final Credentials credentials = new Credentials();

    public GatewayApiClient api() throws UserProblem {
        return credentials.at(List.of(url)).getFirst();
    }

    /** The options for the credentials with which a command calls a running gateway. */
    @Command
    public static final class Credentials {

        @Option(
                names = "--token-file",
                paramLabel = "FILE",
                description = "Holds the bearer token for a gateway with management.access: kubernetes.")
        @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
        private @Nullable Path tokenFile = null;

        @Option(
                names = "--ca-file",
                paramLabel = "FILE",
                description = "PEM file of the authorities that may have signed the certificate of an https URL.")
        @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
        private @Nullable Path caFile = null;

        boolean areGiven() {
            return tokenFile != null || caFile != null;
        }

        GatewayCredentials files() {
            return new GatewayCredentials(Optional.ofNullable(tokenFile), Optional.ofNullable(caFile));
        }

        /** Returns a client for each of these URLs. */
        public List<GatewayApiClient> at(List<String> urls) throws UserProblem {
            GatewayCredentials named = files();
            List<GatewayApiClient> clients = new ArrayList<>();
            for (String url : urls) {
                clients.add(GatewayApiClient.at(url, named));
            }
            return clients;
        }
    }
}
