package dev.sluice.cli;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.app.CertificateSource;
import dev.sluice.app.ClusterSource;
import dev.sluice.app.SluiceParts;
import dev.sluice.cli.console.ConfigOption;
import dev.sluice.cli.console.ExitCode;
import dev.sluice.cli.explain.ExplainPostedManifests;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.config.ConfigHostRule;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.config.ConfigProblem;
import dev.sluice.config.GatewayConfig;
import dev.sluice.kube.client.KubeconfigAdvice;
import dev.sluice.kube.client.KubernetesClientFactory;
import dev.sluice.ledger.Ledger;
import dev.sluice.peers.PeerPortSettings;
import dev.sluice.reload.ReloadedTlsFiles;
import dev.sluice.replication.ReplicationTimes;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsCertificateReader;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import dev.sluice.tls.TlsCertificateReader.TlsReading;
import dev.sluice.tls.TlsEngine;
import dev.sluice.tls.selfmanaged.RotationTimes;
import dev.sluice.tls.selfmanaged.SelfManagedTls;
import io.vertx.core.http.HttpServerOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the gateway for {@code sluice serve}. It does not use picocli, because loading picocli would delay the start.
 */
public final class ServeGateway {

    private static final Logger LOG = LoggerFactory.getLogger(ServeGateway.class);

    /**
     * The JVM property with the divisor for the waiting times before another replica takes over. Only tests set it.
     * There is no configuration key for it, because the API server determines which waiting times are safe.
     */
    private static final String TAKEOVER_DIVISOR = "sluice.takeover.divisor";

    private final ConfigOption config;
    private final Optional<Path> snapshot;
    private final PrintWriter err;

    /**
     * Creates a gateway without starting it.
     *
     * @param snapshot the snapshot file that is read instead of a live cluster
     */
    public ServeGateway(ConfigOption config, Optional<Path> snapshot, PrintWriter err) {
        this.config = config;
        this.snapshot = snapshot;
        this.err = err;
    }

    /**
     * Returns the gateway for a command line that contains only {@code --config FILE} and {@code --cluster-snapshot
     * FILE}, each at most once. Returns empty for any other command line. Picocli then has to parse it, because picocli
     * handles {@code --help} and reports mistakes.
     *
     * @param options the words after {@code serve}
     */
    public static Optional<ServeGateway> plain(List<String> options, PrintWriter err) {
        Map<String, Path> files = new HashMap<>();
        for (int i = 0; i + 1 < options.size(); i += 2) {
            files.put(options.get(i), Path.of(options.get(i + 1)));
        }
        boolean plain = files.size() * 2 == options.size()
                && Set.of("--config", "--cluster-snapshot").containsAll(files.keySet())
                && files.values().stream().noneMatch(file -> file.toString().startsWith("-"));
        ConfigOption config = Optional.ofNullable(files.get("--config"))
                .map(ConfigOption::new)
                .orElseGet(ConfigOption::new);
        return plain
                ? Optional.of(new ServeGateway(config, Optional.ofNullable(files.get("--cluster-snapshot")), err))
                : Optional.empty();
    }

    /** Runs the gateway until the process ends, and returns the exit code. */
    public int run() {
        try {
            return load();
        } catch (RuntimeException fault) {
            err.println("sluice serve failed because of an internal error:");
            fault.printStackTrace(err);
            return ExitCode.WRONG_USE;
        }
    }

    private int load() {
        ServeAotCache.problem().ifPresent(LOG::warn);
        return switch (config.load()) {
            case Loading.NotLoaded refused ->
                refuse(refused.problems().stream().map(ConfigProblem::toString).toList());
            case Loading.Loaded loaded -> {
                loaded.config().log().format().use();
                loaded.config().log().level().use();
                loaded.config().gpus().use();
                loaded.warnings().forEach(warning -> LOG.warn("{}", warning));
                loaded.warningOutsideOfPods(System.getenv()).ifPresent(warning -> LOG.warn("{}", warning));
                loaded.warningOfOneReplica()
                        .filter(_ -> snapshot.isEmpty())
                        .ifPresent(warning -> LOG.warn("{}", warning));
                yield withTls(loaded);
            }
        };
    }

    private int withTls(Loading.Loaded loaded) {
        if (snapshot.isPresent() && isGuarded(loaded.config().management())) {
            return refuse(List.of("management.access is kubernetes, which asks a cluster who may read, and"
                    + " --cluster-snapshot takes a file in its place; set management.access: open, or leave the option"
                    + " out"));
        }
        return switch (loaded.config().tls().mode()) {
            case FILES -> withFiles(loaded);
            case SELF_MANAGED -> withOwnAuthority(loaded);
        };
    }

    private static boolean isGuarded(GatewayConfig.Management management) {
        return management.access() == GatewayConfig.ManagementAccess.KUBERNETES;
    }

    private int withOwnAuthority(Loading.Loaded loaded) {
        if (snapshot.isPresent()) {
            return refuse(List.of("tls.mode is self-managed, which keeps the certificates in a cluster, and"
                    + " --cluster-snapshot takes a file in its place; set tls.mode: files, or leave the option out"));
        }
        try {
            ClusterSource.Live cluster = live(loaded.config().kubernetes());
            SelfManagedTls.Settings settings = settings(loaded.config().tls());
            CertificateSource webhook = CertificateSource.OwnAuthority.start(settings, cluster);
            Optional<CertificateSource> peers = loaded.config().sharesReservations()
                    ? Optional.of(CertificateSource.OwnAuthority.startForPeers(settings, cluster))
                    : Optional.empty();
            return serve(loaded, webhook, peers, cluster);
        } catch (ClusterStateException problem) {
            return refuse(List.of(String.valueOf(problem.getMessage())));
        }
    }

    private static SelfManagedTls.Settings settings(GatewayConfig.Tls tls) {
        GatewayConfig.SelfManaged own = tls.selfManaged();
        return new SelfManagedTls.Settings(
                own.names(),
                new RotationTimes(
                        Duration.ofSeconds(own.certificateSeconds()), Duration.ofSeconds(own.authoritySeconds())),
                tls.engine(),
                Optional.ofNullable(tls.clientCa()));
    }

    private int withFiles(Loading.Loaded loaded) {
        GatewayConfig.Tls tls = loaded.config().tls();
        Optional<TlsFiles> ofPeers = snapshot.isEmpty() && loaded.config().sharesReservations()
                ? loaded.config().peers().files()
                : Optional.empty();
        List<String> problems = new ArrayList<>();
        Optional<CertificateSource> webhook = mounted(
                new TlsFiles(tls.certificate(), tls.key(), Optional.ofNullable(tls.clientCa())),
                tls.engine(),
                problems);
        Optional<CertificateSource> peers = ofPeers.flatMap(files -> mounted(files, tls.engine(), problems));
        if (webhook.isEmpty() || !problems.isEmpty()) {
            return refuse(problems.stream().distinct().toList());
        }
        peers.flatMap(source -> TlsCertificateReader.warningOfSharedAuthority(
                        ofPeers.orElseThrow(),
                        webhook.get().first().tls(),
                        source.first().tls()))
                .ifPresent(warning -> LOG.warn("{}", warning));
        try {
            return serve(loaded, webhook.get(), peers, source(loaded.config().kubernetes()));
        } catch (ClusterStateException problem) {
            return refuse(List.of(String.valueOf(problem.getMessage())));
        }
    }

    /**
     * Returns the certificate in these files. If they cannot be used, adds the reasons to {@code problems} and returns
     * empty.
     */
    private static Optional<CertificateSource> mounted(TlsFiles files, TlsEngine engine, List<String> problems) {
        return switch (TlsCertificateReader.read(files, engine, Instant.now())) {
            case TlsReading.UnusableTls refused -> {
                problems.addAll(refused.problems());
                yield Optional.empty();
            }
            case TlsReading.Usable usable -> {
                usable.warnings().forEach(warning -> LOG.warn("{}", warning));
                yield Optional.of(
                        new CertificateSource.MountedFiles(ReloadedTlsFiles.of(files, usable.tls(), Instant.now())));
            }
        };
    }

    private ClusterSource source(GatewayConfig.Kubernetes kubernetes) throws ClusterStateException {
        return snapshot.isPresent() ? new ClusterSource.File(snapshot.get()) : live(kubernetes);
    }

    private static ClusterSource.Live live(GatewayConfig.Kubernetes kubernetes) throws ClusterStateException {
        return new ClusterSource.Live(
                KubernetesClientFactory.open(
                        kubernetes.kubeconfig(), kubernetes.context(), KubeconfigAdvice.CONFIGURATION),
                ReplicationTimes.of(Ledger.LONGEST_CREATE
                        .dividedBy(Integer.getInteger(TAKEOVER_DIVISOR, 1))
                        .toMillis()),
                kubernetes.summary());
    }

    private SluiceParts parts(
            Loading.Loaded loaded, CertificateSource tls, Optional<CertificateSource> peers, ClusterSource source) {
        GatewayConfig.Webhook webhook = loaded.config().webhook();
        GatewayConfig.Management management = loaded.config().management();
        return new SluiceParts(
                tls.first()
                        .tls()
                        .secure(new HttpServerOptions().setHost(webhook.host()).setPort(webhook.port())),
                webhook.maxBodyBytes(),
                options(management, tls.first().tls()),
                ActivePolicy.first(loaded.config().policy(), loaded.injector()),
                new ServePolicyFiles(config, loaded.config()),
                source,
                new ClientCertificateNames(loaded.config().tls().clientNames()),
                Optional.of(tls),
                Duration.ofSeconds(management.diagnosisSeconds()),
                management.nodeSeries(),
                management.vertxSeries(),
                loaded.config().kubernetes().events(),
                names(loaded.config()),
                webhook.warmUpReviews(),
                peers.map(certificates -> peerSettings(loaded.config().peers(), certificates)),
                peers,
                Optional.of(new ExplainPostedManifests()));
    }

    /** Returns the host names under which clients call the gateway, according to the configuration. */
    private static Set<String> names(GatewayConfig config) {
        return Stream.concat(
                        config.tls().selfManaged().names().stream(),
                        Stream.of(config.management().host()))
                .collect(Collectors.toSet());
    }

    /**
     * Returns the options of the management port. It requires no client certificate, because clients authenticate with
     * a token.
     */
    private static HttpServerOptions options(GatewayConfig.Management management, ServerTls webhook) {
        HttpServerOptions options =
                new HttpServerOptions().setHost(management.host()).setPort(management.port());
        return isGuarded(management)
                ? ServerTls.open(webhook.identity(), webhook.engine()).secure(options)
                : options;
    }

    private int serve(
            Loading.Loaded loaded, CertificateSource tls, Optional<CertificateSource> peers, ClusterSource source) {
        return serve(
                parts(loaded, tls, peers, source),
                Duration.ofSeconds(loaded.config().webhook().drainSeconds()));
    }

    private int serve(SluiceParts parts, Duration drain) {
        return ServeUntilStopped.untilStopped(
                parts,
                _ -> {
                    LOG.atInfo()
                            .addKeyValue("webhook", address(parts.webhook()))
                            .addKeyValue("management", address(parts.management()))
                            .log("serving");
                    return OptionalInt.empty();
                },
                err,
                drain);
    }

    private static PeerPortSettings peerSettings(GatewayConfig.PeerPort peers, CertificateSource certificates) {
        return new PeerPortSettings(
                peers.host(),
                peers.port(),
                peers.advertised(System.getenv(), ServeOwnAddress::find),
                certificates.first().tls());
    }

    private static String address(HttpServerOptions options) {
        return (options.isSsl() ? "https://" : "http://")
                + ConfigHostRule.withPort(options.getHost(), options.getPort());
    }

    private int refuse(List<String> problems) {
        problems.forEach(problem -> err.println("sluice: " + problem));
        return ExitCode.WRONG_USE;
    }
}
