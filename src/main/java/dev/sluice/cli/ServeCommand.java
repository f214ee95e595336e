package dev.sluice.cli;

import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.Terminal;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code sluice serve}. It runs the gateway for a cluster, or for a file that describes a cluster. */
@Command(
        name = "serve",
        header = "Serves the webhook that the API server asks about every GPU pod.",
        description = {
            "",
            "Without a snapshot the cluster of the kubeconfig, or of the pod's service account, is watched."
                    + " Until it has been listed completely, reviews are answered with 503 and Retry-After.",
            ""
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  sluice serve                              with the defaults, in a pod of the cluster",
            "  sluice serve --config conf/gateway.yaml   as configured there",
            "",
            "Without a cluster, with certificates of its own; a change of the file is seen within 2 s:",
            "  kubectl get nodes,pods,limitranges -A -o json > cluster.json",
            "  sluice certs make --dir certs",
            "  printf 'tls: { certificate: certs/tls.crt, key: certs/tls.key }\\n' > gateway.yaml",
            "  printf 'management: { host: 127.0.0.1 }\\n' >> gateway.yaml",
            "  sluice serve --config gateway.yaml --cluster-snapshot cluster.json",
            "",
            "Environment: PORT goes before webhook.port.",
            "Exit codes: 2 the configuration, the certificate or the cluster cannot be used."
        })
public final class ServeCommand implements Callable<Integer> {

    @Mixin
    private final Terminal terminal = new Terminal();

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Option(
            names = "--cluster-snapshot",
            paramLabel = "FILE",
            description = "What 'kubectl get nodes,pods,limitranges -A -o json' (or yaml) wrote, instead of a cluster.")
    private @Nullable Path snapshot;

    @Override
    public Integer call() {
        return new ServeGateway(config, Optional.ofNullable(snapshot), terminal.err()).run();
    }
}
