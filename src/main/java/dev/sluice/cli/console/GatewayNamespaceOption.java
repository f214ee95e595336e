package dev.sluice.cli.console;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The option that names the namespace of the gateway in a cluster. */
@Command
public final class GatewayNamespaceOption {

    @Option(
            names = "--gateway-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "gpu-webhook",
            description = "Where the gateway of the cluster runs, if --url does not name it (${DEFAULT-VALUE}).")
    @SuppressWarnings("FieldCanBeFinal") // Picocli sets this field before it calls the command.
    private String namespace = "gpu-webhook";

    public String namespace() {
        return namespace;
    }
}
