package dev.sluice.cli.serve;

import dev.sluice.app.ClusterSource;
import dev.sluice.app.Sluice;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.console.Terminal;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.GatewayConfig;
import dev.sluice.config.tree.Problem;
import dev.sluice.event.SourceProblem;
import dev.sluice.kube.transport.ClusterClient;
import dev.sluice.policy.ActivePolicy;
import dev.sluice.tls.ClientNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsReader;
import dev.sluice.tls.TlsReader.TlsFiles;
import dev.sluice.tls.TlsReader.TlsReading;
import io.vertx.core.http.HttpServerOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the gateway for a cluster, or for a file that describes a cluster. */
@Command(
        name = "serve",
        header = "Serves the webhook that the API server asks about every GPU pod.",
        description = {
            "",
            "Without a snapshot the cluster of the kubeconfig, or of the pod's service account, is watched."
                    + " Until it has been listed completely, reviews are answered with 503 and Retry-After."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  sluice serve                                   with the defaults, in a pod of the cluster",
            "  sluice serve --config conf/gateway.yaml        as configured there",
            "  kubectl get nodes,pods -A -o json > cluster.json",
            "  sluice serve --cluster-snapshot cluster.json   decide by that file; a change is seen within 2 s",
            "",
            "Environment: PORT goes before webhook.port.",
            "Exit codes: 2 the configuration, the certificate or the cluster cannot be used."
        })
public final class ServeCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    @Mixin
    private final Terminal terminal = new Terminal();

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Option(
            names = "--cluster-snapshot",
            paramLabel = "FILE",
            description = "What 'kubectl get nodes,pods -A -o json' (or yaml) wrote, instead of a cluster.")
    private @Nullable Path snapshot;

    @Override
    public Integer call() {
        AotCache.problem().ifPresent(LOG::warn);
        return switch (config.load()) {
            case Loading.NotLoaded refused ->
                refuse(refused.problems().stream().map(Problem::toString).toList());
            case Loading.Loaded loaded -> {
                loaded.warnings().forEach(warning -> LOG.warn("{}", warning));
                yield withTls(loaded);
            }
        };
    }

    private int withTls(Loading.Loaded loaded) {
        GatewayConfig.Tls tls = loaded.config().tls();
        TlsFiles files = new TlsFiles(tls.certificate(), tls.key(), Optional.ofNullable(tls.clientCa()));
        return switch (TlsReader.read(files, tls.engine(), Instant.now())) {
            case TlsReading.UnusableTls refused -> refuse(refused.problems());
            case TlsReading.Usable usable -> {
                usable.warnings().forEach(warning -> LOG.warn("{}", warning));
                yield withCluster(loaded, usable.tls());
            }
        };
    }

    private int withCluster(Loading.Loaded loaded, ServerTls tls) {
        try {
            return run(parts(loaded, tls, source(loaded.config().kubernetes())));
        } catch (SourceProblem problem) {
            return refuse(List.of(String.valueOf(problem.getMessage())));
        }
    }

    private ClusterSource source(GatewayConfig.Kubernetes kubernetes) throws SourceProblem {
        return snapshot != null
                ? new ClusterSource.File(snapshot)
                : new ClusterSource.Live(ClusterClient.open(kubernetes.kubeconfig(), kubernetes.context()));
    }

    private Sluice.Parts parts(Loading.Loaded loaded, ServerTls tls, ClusterSource source) {
        GatewayConfig.Webhook webhook = loaded.config().webhook();
        GatewayConfig.Management management = loaded.config().management();
        return new Sluice.Parts(
                tls.secure(new HttpServerOptions().setHost(webhook.host()).setPort(webhook.port())),
                webhook.maxBodyBytes(),
                new HttpServerOptions().setHost(management.host()).setPort(management.port()),
                ActivePolicy.first(loaded.config().policy(), loaded.injector()),
                new PolicyFiles(config, loaded.config()),
                source,
                new ClientNames(loaded.config().tls().clientNames()));
    }

    private int run(Sluice.Parts parts) {
        return Running.untilStopped(
                parts,
                _ -> {
                    LOG.atInfo()
                            .addKeyValue("webhook", "https://" + address(parts.webhook()))
                            .addKeyValue("management", "http://" + address(parts.management()))
                            .log("serving");
                    return OptionalInt.empty();
                },
                terminal.err());
    }

    private static String address(HttpServerOptions options) {
        return options.getHost() + ":" + options.getPort();
    }

    private int refuse(List<String> problems) {
        problems.forEach(problem -> terminal.err().println("sluice: " + problem));
        return ExitCode.WRONG_USE;
    }
}
