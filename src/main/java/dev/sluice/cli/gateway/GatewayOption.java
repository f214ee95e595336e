package dev.sluice.cli.gateway;

import dev.sluice.cli.console.UserProblem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The option that names a running gateway. */
@Command
public final class GatewayOption {

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:9090",
            description = "The management port of the gateway (${DEFAULT-VALUE}).")
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it before call()
    private String url = "http://localhost:9090";

    public GatewayApi api() throws UserProblem {
        return GatewayApi.at(url);
    }
}
