package dev.sluice.cli.demo;

import dev.sluice.config.ConfigIntRange;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options for the ports of the demo. Their values are read as text, so that all invalid values get the same error
 * message.
 */
final class DemoPorts {

    private static final String USUAL = "8443";

    private final Map<String, String> environment;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // Picocli sets this field before the values are read.
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The gateway's port (" + USUAL + ", or PORT of the environment).")
    private @Nullable String webhook;

    @Option(
            names = "--management-port",
            paramLabel = "PORT",
            defaultValue = "9090",
            description = "The port of probes, metrics and API (${DEFAULT-VALUE}).")
    private String management = "9090";

    DemoPorts(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The two chosen ports: one for reviews, and one for probes, metrics and the API. */
    record Chosen(int webhook, int management) {}

    Chosen chosen() {
        Chosen chosen = new Chosen(webhookPort(), port("--management-port", management, ""));
        if (chosen.webhook == chosen.management) {
            throw refused(
                    "--port and --management-port are both " + chosen.webhook + ", choose another for one of them");
        }
        return chosen;
    }

    /** Returns the port for reviews. An empty environment variable counts as unset, as in the command {@code serve}. */
    private int webhookPort() {
        if (webhook != null) {
            return port("--port", webhook, "");
        }
        String inherited = environment.getOrDefault("PORT", "");
        return port("PORT of the environment", inherited.isEmpty() ? USUAL : inherited, ", or unset it");
    }

    private int port(String name, String text, String otherwise) {
        return ConfigIntRange.PORTS
                .read(text)
                .orElseThrow(() -> refused(name + " is " + text + ", expected " + ConfigIntRange.PORTS + otherwise));
    }

    private ParameterException refused(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
