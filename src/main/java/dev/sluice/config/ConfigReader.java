package dev.sluice.config;

import dev.sluice.admission.request.Policies;
import dev.sluice.cluster.VendorNames;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.config.ConfigProblem.SourcePosition;
import dev.sluice.config.GatewayConfig.GpuTable;
import dev.sluice.config.GatewayConfig.InjectionFile;
import dev.sluice.config.GatewayConfig.Kubernetes;
import dev.sluice.config.GatewayConfig.Log;
import dev.sluice.config.GatewayConfig.Management;
import dev.sluice.config.GatewayConfig.ManagementAccess;
import dev.sluice.config.GatewayConfig.PeerPort;
import dev.sluice.config.GatewayConfig.SelfManaged;
import dev.sluice.config.GatewayConfig.Tls;
import dev.sluice.config.GatewayConfig.TlsMode;
import dev.sluice.config.GatewayConfig.Webhook;
import dev.sluice.log.LogFormat;
import dev.sluice.log.LogLevel;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.TlsEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sections of the configuration file. It also reads the environment variable {@code PORT}, which overrides
 * the port in the file.
 */
final class ConfigReader {

    private static final String PORT = "PORT";

    private static final Pattern GPU_RESOURCE =
            Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/[A-Za-z0-9][A-Za-z0-9._-]{0,61}[A-Za-z0-9*]?");

    private final Map<String, String> environment;
    private final ProblemCollector problems;
    private @Nullable Path injectionFile;
    private Tls tls = Tls.DEFAULT;
    private PeerPort peers = PeerPort.DEFAULT;
    private Kubernetes kubernetes = Kubernetes.DEFAULT;
    private Map<ResourceName, KeyPath> chained = Map.of();

    ConfigReader(Map<String, String> environment, ProblemCollector problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** Returns the configuration. Returns empty if there is any problem. */
    Optional<GatewayConfig> read(YamlNode root) {
        ConfigSection file = ConfigSection.of(new YamlNode.Entry(root.position(), "", root), KeyPath.ROOT, problems);
        Webhook webhook = webhook(file.section("webhook"));
        tls = tls(file.section("tls"));
        Management management = management(file.section("management"));
        peers = peers(file.section("peers"));
        kubernetes = kubernetes(file.section("kubernetes"));
        GpuTable gpus = gpus(file.section("gpus"));
        ConfigPolicyReader policies = new ConfigPolicyReader(problems);
        Policies policy = policies.read(file.section("policy"));
        chained = policies.chained();
        InjectionFile injection = injection(file.section("injection"));
        Log log = log(file.section("log"));
        file.refuseUnknown();
        webhook = environmentPort().map(webhook::withPort).orElse(webhook);
        checkPortsDiffer(webhook, management);
        if (GatewayConfig.sharesReservations(tls, peers, policy)) {
            checkPeerPort(webhook, management);
        }
        return problems.anyProblem()
                ? Optional.empty()
                : Optional.of(
                        new GatewayConfig(webhook, tls, management, peers, kubernetes, gpus, policy, injection, log));
    }

    /**
     * Returns the section {@code tls} even if other sections have problems. Keys of the section that have problems get
     * their defaults.
     */
    Tls readTls() {
        return tls;
    }

    /**
     * Returns the section {@code peers} even if other sections have problems. Keys of the section that have problems
     * get their defaults.
     */
    PeerPort readPeers() {
        return peers;
    }

    /**
     * Returns the section {@code kubernetes} even if other sections have problems. Keys of the section that have
     * problems get their defaults.
     */
    Kubernetes readKubernetes() {
        return kubernetes;
    }

    private static Webhook webhook(ConfigSection section) {
        Webhook webhook = new Webhook(
                section.host("host").orElse(Webhook.DEFAULT.host()),
                section.integer("port", ConfigIntRange.PORTS).orElse(Webhook.DEFAULT.port()),
                section.integer("maxBodyBytes", ConfigIntRange.BODY_BYTES).orElse(Webhook.DEFAULT.maxBodyBytes()),
                section.integer("drainSeconds", ConfigIntRange.DRAIN_SECONDS).orElse(Webhook.DEFAULT.drainSeconds()),
                section.integer("warmUpReviews", ConfigIntRange.WARM_UP_REVIEWS)
                        .orElse(Webhook.DEFAULT.warmUpReviews()));
        section.refuseUnknown();
        return webhook;
    }

    private Tls tls(ConfigSection section) {
        TlsMode mode = section.choice("mode", TlsMode.class).orElse(Tls.DEFAULT.mode());
        TlsEngine engine = section.choice("engine", TlsEngine.class).orElse(Tls.DEFAULT.engine());
        Path certificate = section.file("certificate").orElse(Tls.DEFAULT.certificate());
        Path key = section.file("key").orElse(Tls.DEFAULT.key());
        @Nullable Path authorities = section.file("clientCa").orElse(null);
        Set<String> names = section.texts("clientNames").orElse(Tls.DEFAULT.clientNames());
        checkClients(section, names);
        SelfManaged selfManaged = selfManaged(section.section("selfManaged"));
        section.refuseUnknown();
        return new Tls(
                mode, engine, certificate, key, authorities, authorities == null ? Set.of() : names, selfManaged);
    }

    private SelfManaged selfManaged(ConfigSection section) {
        SelfManaged usual = SelfManaged.DEFAULT;
        Set<String> names = section.texts("names").orElse(usual.names());
        int certificate = section.integer("certificateSeconds", ConfigIntRange.LIFETIME_SECONDS)
                .orElse(usual.certificateSeconds());
        int authority = section.integer("authoritySeconds", ConfigIntRange.LIFETIME_SECONDS)
                .orElse(usual.authoritySeconds());
        section.refuseUnknown();
        boolean named = checkNames(section, names);
        boolean overlap = SelfManaged.overlap(certificate, authority);
        if (!overlap) {
            String key = section.value("authoritySeconds").isPresent() ? "authoritySeconds" : "certificateSeconds";
            problems.problem(
                    section.value(key).map(YamlNode.Entry::position).orElse(problems.document()),
                    section.path(key),
                    "leaves the authority " + authority + " s for certificates of " + certificate + " s",
                    "let the authority last at least twice as long");
        }
        return named && overlap ? new SelfManaged(names, certificate, authority) : usual;
    }

    private boolean checkNames(ConfigSection section, Set<String> names) {
        List<String> wrong = names.stream()
                .flatMap(name -> ServerCertificateNames.problemOf(name).stream())
                .toList();
        section.value("names")
                .filter(_ -> !wrong.isEmpty())
                .ifPresent(entry -> problems.problem(
                        entry.position(),
                        section.path("names"),
                        "cannot be borne by a certificate: " + String.join("; ", wrong),
                        "expected DNS names and IP addresses"));
        return wrong.isEmpty();
    }

    private void checkClients(ConfigSection section, Set<String> names) {
        Optional<YamlNode.Entry> authorities = section.value("clientCa");
        if (authorities.isEmpty()) {
            section.value("clientNames")
                    .filter(_ -> !names.isEmpty())
                    .ifPresent(entry -> problems.problem(
                            entry.position(),
                            section.path(entry.key()),
                            "is set without tls.clientCa, so that no caller shows a certificate",
                            "set tls.clientCa, or remove the names"));
        } else if (names.isEmpty()) {
            problems.warning(
                    authorities.get().position(),
                    section.path("clientCa"),
                    "accepts every certificate of its authorities, whatever its names are",
                    "name the API server's in tls.clientNames");
        }
    }

    private static Management management(ConfigSection section) {
        Management management = new Management(
                section.host("host").orElse(Management.DEFAULT.host()),
                section.integer("port", ConfigIntRange.PORTS).orElse(Management.DEFAULT.port()),
                section.integer("diagnosisSeconds", ConfigIntRange.DIAGNOSIS_SECONDS)
                        .orElse(Management.DEFAULT.diagnosisSeconds()),
                section.choice("access", ManagementAccess.class).orElse(Management.DEFAULT.access()),
                section.integer("nodeSeries", ConfigIntRange.NODE_SERIES).orElse(Management.DEFAULT.nodeSeries()),
                section.bool("vertxSeries").orElse(Management.DEFAULT.vertxSeries()));
        section.refuseUnknown();
        return management;
    }

    private PeerPort peers(ConfigSection section) {
        String host = section.host("host").orElse(PeerPort.DEFAULT.host());
        int port = section.integer("port", ConfigIntRange.PORTS).orElse(PeerPort.DEFAULT.port());
        @Nullable String advertised = section.address("advertisedAddress").orElse(null);
        @Nullable Path certificate = section.file("certificate").orElse(null);
        @Nullable Path key = section.file("key").orElse(null);
        @Nullable Path authority = section.file("authority").orElse(null);
        boolean complete = checkPeerFiles(section);
        section.refuseUnknown();
        return complete && (certificate == null) == (key == null) && (key == null) == (authority == null)
                ? new PeerPort(host, port, advertised, certificate, key, authority)
                : new PeerPort(host, port, advertised, null, null, null);
    }

    /**
     * Returns true if the section names the certificate, the key and the authority, or none of these files. Otherwise
     * reports a problem and returns false.
     */
    private boolean checkPeerFiles(ConfigSection section) {
        List<String> files = List.of("certificate", "key", "authority");
        List<YamlNode.Entry> written =
                files.stream().flatMap(key -> section.value(key).stream()).toList();
        List<String> missing = files.stream()
                .filter(key -> section.value(key).isEmpty())
                .map(key -> section.path(key).toString())
                .toList();
        if (written.isEmpty() || missing.isEmpty()) {
            return true;
        }
        YamlNode.Entry first = written.getFirst();
        problems.problem(
                first.position(),
                section.path(first.key()),
                "is set without " + String.join(" and ", missing),
                "set all three files, or none of them");
        return false;
    }

    private static Log log(ConfigSection section) {
        Log log = new Log(
                section.choice("format", LogFormat.class).orElse(Log.DEFAULT.format()),
                section.choice("level", LogLevel.class).orElse(Log.DEFAULT.level()));
        section.refuseUnknown();
        return log;
    }

    private static Kubernetes kubernetes(ConfigSection section) {
        Kubernetes kubernetes = new Kubernetes(
                section.file("kubeconfig").orElse(null),
                section.name("context").orElse(null),
                section.bool("events").orElse(Kubernetes.DEFAULT.events()),
                section.bool("summary").orElse(Kubernetes.DEFAULT.summary()));
        section.refuseUnknown();
        return kubernetes;
    }

    private GpuTable gpus(ConfigSection section) {
        GpuTable gpus = new GpuTable(
                vendor(section.section("nvidia")), vendor(section.section("amd")), vendor(section.section("intel")));
        section.refuseUnknown();
        return gpus;
    }

    private VendorNames vendor(ConfigSection section) {
        Set<String> resources = section.texts("resources").orElse(Set.of());
        VendorNames names = new VendorNames(
                resources,
                section.texts("images").orElse(Set.of()),
                section.texts("namespaces").orElse(Set.of()));
        section.refuseUnknown();
        List<String> wrong = resources.stream()
                .filter(name -> !GPU_RESOURCE.matcher(name).matches())
                .sorted()
                .toList();
        section.value("resources")
                .filter(_ -> !wrong.isEmpty())
                .ifPresent(entry -> problems.problem(
                        entry.position(),
                        section.path("resources"),
                        "has what is no name of an extended resource: " + String.join(", ", wrong),
                        "expected names such as example.com/gpu, or example.com/gpu-* for all that begin like it"));
        return names;
    }

    private InjectionFile injection(ConfigSection section) {
        InjectionFile injection = new InjectionFile(
                section.file("file").orElse(null),
                section.bool("keepUserValues").orElse(InjectionFile.DEFAULT.keepUserValues()));
        section.refuseUnknown();
        injectionFile = injection.file();
        return injection;
    }

    /** Returns the name of the injection file, even if another key has a problem. */
    Optional<Path> injectionFile() {
        return Optional.ofNullable(injectionFile);
    }

    /**
     * Returns all resources that occur in fallback chains, each with the path of a key {@code chains} that contains it.
     * The method works even if other keys have problems.
     */
    Map<ResourceName, KeyPath> chained() {
        return chained;
    }

    /**
     * Returns the port from the environment variable. An empty variable counts as unset, as in the predecessor of
     * Sluice.
     */
    private Optional<Integer> environmentPort() {
        String value = environment.getOrDefault(PORT, "");
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Optional<Integer> port = ConfigIntRange.PORTS.read(value);
        if (port.isPresent()) {
            problems.recordKey("webhook.port", SourcePosition.ENVIRONMENT);
            return port;
        }
        String shown = new YamlNode.Scalar(SourcePosition.ENVIRONMENT, YamlNode.Scalar.Kind.TEXT, value).shown();
        problems.problem(
                SourcePosition.ENVIRONMENT, PORT, "is " + shown, "expected " + ConfigIntRange.PORTS + ", or unset it");
        return Optional.empty();
    }

    /**
     * Reports a problem if the webhook and the management server have the same port. The problem names the key of a
     * port that the user has set. The default ports differ, so the user has set at least one of the two.
     */
    private void checkPortsDiffer(Webhook webhook, Management management) {
        boolean bothKnown = !problems.anyProblemWith("webhook.port")
                && !problems.anyProblemWith("management.port")
                && !problems.anyProblemWith(PORT);
        if (!bothKnown || webhook.port() != management.port()) {
            return;
        }
        Optional<SourcePosition> managementAt = problems.keyPositions().positionOf("management.port");
        Optional<SourcePosition> webhookAt = problems.keyPositions().positionOf("webhook.port");
        if (webhookAt.equals(Optional.of(SourcePosition.ENVIRONMENT))) {
            portsEqual(SourcePosition.ENVIRONMENT, PORT, webhook.port(), "management.port");
        } else if (managementAt.isPresent()) {
            portsEqual(managementAt.get(), "management.port", management.port(), "webhook.port");
        } else {
            portsEqual(webhookAt.orElseThrow(), "webhook.port", webhook.port(), "management.port");
        }
    }

    /**
     * Reports a problem if the port for replicas is the port of another server. The problem names the key of a port
     * that the user has set.
     */
    private void checkPeerPort(Webhook webhook, Management management) {
        Optional<SourcePosition> written = problems.keyPositions().positionOf("peers.port");
        Map.of("webhook.port", webhook.port(), "management.port", management.port())
                .forEach((other, port) -> {
                    if (port == peers.port() && written.isPresent()) {
                        portsEqual(written.get(), "peers.port", port, other);
                    } else if (port == peers.port()) {
                        portsEqual(problems.keyPositions().positionOf(other).orElseThrow(), other, port, "peers.port");
                    }
                });
    }

    private void portsEqual(SourcePosition position, String key, int port, String other) {
        problems.problem(position, key, "is " + port + ", the same as " + other, "choose another port");
    }
}
