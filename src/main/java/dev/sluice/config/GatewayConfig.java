package dev.sluice.config;

import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.Policies;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.VendorNames;
import dev.sluice.log.LogFormat;
import dev.sluice.log.LogLevel;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import dev.sluice.tls.TlsEngine;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the gateway. The file {@code conf/gateway.yaml} explains each key. The loader reports invalid
 * values as problems; the constructors throw {@link IllegalArgumentException} for them.
 */
public record GatewayConfig(
        Webhook webhook,
        Tls tls,
        Management management,
        PeerPort peers,
        Kubernetes kubernetes,
        GpuTable gpus,
        Policies policy,
        InjectionFile injection,
        Log log) {

    public static final GatewayConfig DEFAULT = new GatewayConfig(
            Webhook.DEFAULT,
            Tls.DEFAULT,
            Management.DEFAULT,
            PeerPort.DEFAULT,
            Kubernetes.DEFAULT,
            GpuTable.DEFAULT,
            Policies.DEFAULT,
            InjectionFile.DEFAULT,
            Log.DEFAULT);

    public GatewayConfig {
        if (webhook.port == management.port) {
            throw new IllegalArgumentException("webhook.port and management.port are both " + webhook.port);
        }
        if (sharesReservations(tls, peers, policy)
                && Set.of(webhook.port, management.port).contains(peers.port)) {
            throw new IllegalArgumentException("peers.port is " + peers.port + ", as another port");
        }
    }

    /**
     * Returns true if this gateway shares its reservations with other replicas: a policy is in availability mode, which
     * reserves devices, and there are certificates with which replicas authenticate to each other. Otherwise, the
     * gateway does not open the port for replicas.
     */
    public boolean sharesReservations() {
        return sharesReservations(tls, peers, policy);
    }

    static boolean sharesReservations(Tls tls, PeerPort peers, Policies policy) {
        return policy.reserve()
                && (tls.mode == TlsMode.SELF_MANAGED || peers.files().isPresent());
    }

    /**
     * Returns the keys that have another value in {@code other} and take effect only after a restart. Each text
     * contains the key and both values.
     */
    public List<String> keysThatDiffer(GatewayConfig other) {
        List<String> different = new ArrayList<>();
        compare("webhook", webhook, other.webhook, different);
        compare("tls", tls, other.tls, different);
        compare("management", management, other.management, different);
        compare("peers", peers, other.peers, different);
        compare("kubernetes", kubernetes, other.kubernetes, different);
        compare("gpus", gpus, other.gpus, different);
        compare("log", log, new Log(other.log.format, log.level), different);
        return different;
    }

    private static <R extends Record> void compare(String section, R mine, R theirs, List<String> different) {
        for (RecordComponent key : mine.getClass().getRecordComponents()) {
            try {
                Object before = key.getAccessor().invoke(mine);
                Object after = key.getAccessor().invoke(theirs);
                if (!Objects.equals(before, after)) {
                    different.add(section + "." + key.getName() + ": " + before + " -> " + after);
                }
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    /** The server that receives the reviews from the API server. */
    public record Webhook(String host, int port, int maxBodyBytes, int drainSeconds, int warmUpReviews) {

        /**
         * The defaults:
         *
         * <ul>
         *   <li>8 MiB for a body, because the API server accepts objects of 3 MiB, and a review may contain an object
         *       twice.
         *   <li>5 s to drain: the readiness probes of the manifests notice within 4 s that a replica stops. Proxies use
         *       the new endpoints within one more second.
         *   <li>400 reviews to warm up, because the JVM compiles a method after 128 calls or more, and not every review
         *       calls each method.
         * </ul>
         */
        public static final Webhook DEFAULT = new Webhook("0.0.0.0", 8443, 8 << 20, 5, 400);

        /** Creates a section with the default values for draining and for the warm-up. */
        public Webhook(String host, int port, int maxBodyBytes) {
            this(host, port, maxBodyBytes, DEFAULT.drainSeconds, DEFAULT.warmUpReviews);
        }

        public Webhook {
            ConfigHostRule.require("webhook.host", host);
            ConfigIntRange.PORTS.require("webhook.port", port);
            ConfigIntRange.BODY_BYTES.require("webhook.maxBodyBytes", maxBodyBytes);
            ConfigIntRange.DRAIN_SECONDS.require("webhook.drainSeconds", drainSeconds);
            ConfigIntRange.WARM_UP_REVIEWS.require("webhook.warmUpReviews", warmUpReviews);
        }

        Webhook withPort(int other) {
            return new Webhook(host, other, maxBodyBytes, drainSeconds, warmUpReviews);
        }
    }

    /**
     * The gateway's certificate and the client certificates that it requires.
     *
     * @param clientCa the file with the authorities of client certificates; null if clients need no certificate
     * @param clientNames the accepted names of client certificates; empty to accept any name
     * @param selfManaged the settings for certificates that the gateway creates itself; used only in the mode
     *     {@link TlsMode#SELF_MANAGED}
     */
    public record Tls(
            TlsMode mode,
            TlsEngine engine,
            Path certificate,
            Path key,
            @Nullable Path clientCa,
            Set<String> clientNames,
            SelfManaged selfManaged) {

        /** The default settings. The predecessor of Sluice mounted its Secret at the same paths. */
        public static final Tls DEFAULT = new Tls(
                TlsMode.FILES,
                TlsEngine.OPENSSL,
                Path.of("/etc/webhook/certs/tls.crt"),
                Path.of("/etc/webhook/certs/tls.key"),
                null,
                Set.of(),
                SelfManaged.DEFAULT);

        /** Creates a section with the default settings for self-managed certificates. */
        public Tls(
                TlsMode mode,
                TlsEngine engine,
                Path certificate,
                Path key,
                @Nullable Path clientCa,
                Set<String> clientNames) {
            this(mode, engine, certificate, key, clientCa, clientNames, SelfManaged.DEFAULT);
        }

        public Tls {
            ConfigFileRule.require("tls.certificate", certificate);
            ConfigFileRule.require("tls.key", key);
            ConfigFileRule.require("tls.clientCa", clientCa);
            clientNames = Set.copyOf(clientNames);
            if (clientCa == null && !clientNames.isEmpty()) {
                throw new IllegalArgumentException("tls.clientNames without tls.clientCa");
            }
        }
    }

    /** The source of the gateway's certificate. */
    public enum TlsMode {
        FILES,
        SELF_MANAGED
    }

    /**
     * The settings for self-managed certificates, which the gateway creates.
     *
     * @param names additional names and addresses by which clients call the gateway
     * @param certificateSeconds the lifetime of the gateway's certificate
     * @param authoritySeconds the lifetime of the authority, at least twice the lifetime of the certificate
     */
    public record SelfManaged(Set<String> names, int certificateSeconds, int authoritySeconds) {

        /**
         * The default lifetimes: 90 days for a certificate, which is also cert-manager's default, and two years for the
         * authority.
         */
        public static final SelfManaged DEFAULT = new SelfManaged(Set.of(), 7_776_000, 63_072_000);

        public SelfManaged {
            names = Set.copyOf(names);
            ConfigIntRange.LIFETIME_SECONDS.require("tls.selfManaged.certificateSeconds", certificateSeconds);
            ConfigIntRange.LIFETIME_SECONDS.require("tls.selfManaged.authoritySeconds", authoritySeconds);
            if (!overlap(certificateSeconds, authoritySeconds)) {
                throw new IllegalArgumentException("tls.selfManaged.authoritySeconds is " + authoritySeconds);
            }
        }

        static boolean overlap(int certificateSeconds, int authoritySeconds) {
            return authoritySeconds >= 2L * certificateSeconds;
        }
    }

    /** The format and the level of the log. */
    public record Log(LogFormat format, LogLevel level) {

        public static final Log DEFAULT = new Log(LogFormat.TEXT, LogLevel.INFO);
    }

    /**
     * The server for probes, metrics, the API and the console.
     *
     * @param diagnosisSeconds the pause between two diagnoses of the cluster; 0 turns diagnoses off
     * @param nodeSeries the maximum number of nodes with devices that have their own series in the metrics
     * @param vertxSeries whether the metrics include the series of Vert.x about its event bus, servers and thread pools
     */
    public record Management(
            String host, int port, int diagnosisSeconds, ManagementAccess access, int nodeSeries, boolean vertxSeries) {

        public static final Management DEFAULT =
                new Management("0.0.0.0", 9090, 0, ManagementAccess.OPEN, 100, /* vertxSeries= */ false);

        /** Creates a configuration without diagnoses of the cluster. */
        public Management(String host, int port) {
            this(host, port, DEFAULT.diagnosisSeconds, DEFAULT.access, DEFAULT.nodeSeries, DEFAULT.vertxSeries);
        }

        public Management {
            ConfigHostRule.require("management.host", host);
            ConfigIntRange.PORTS.require("management.port", port);
            ConfigIntRange.DIAGNOSIS_SECONDS.require("management.diagnosisSeconds", diagnosisSeconds);
            ConfigIntRange.NODE_SERIES.require("management.nodeSeries", nodeSeries);
        }
    }

    /**
     * The port on which replicas share their reservations in availability mode, in which the gateway reserves devices.
     *
     * @param advertisedAddress the address at which other replicas reach this port, with or without the port; null for
     *     the address of the pod or of this machine
     * @param certificate the file with the certificate that this replica presents to other replicas. The certificate,
     *     the key and the authority are either all null or all present
     * @param authority the file with the authorities of the certificates of all replicas
     */
    public record PeerPort(
            String host,
            int port,
            @Nullable String advertisedAddress,
            @Nullable Path certificate,
            @Nullable Path key,
            @Nullable Path authority) {

        public static final PeerPort DEFAULT = new PeerPort("0.0.0.0", 8444, null, null, null, null);

        public PeerPort {
            ConfigHostRule.require("peers.host", host);
            ConfigIntRange.PORTS.require("peers.port", port);
            if (advertisedAddress != null
                    && ConfigPeerAddress.read(advertisedAddress, port).isEmpty()) {
                throw new IllegalArgumentException("peers.advertisedAddress is " + advertisedAddress);
            }
            ConfigFileRule.require("peers.certificate", certificate);
            ConfigFileRule.require("peers.key", key);
            ConfigFileRule.require("peers.authority", authority);
            boolean all = certificate != null && key != null && authority != null;
            boolean none = certificate == null && key == null && authority == null;
            if (!all && !none) {
                throw new IllegalArgumentException("peers names some of its three files only");
            }
        }

        /**
         * Returns the files with the certificate, the key and the authorities. Returns empty if none are configured.
         */
        public Optional<TlsFiles> files() {
            return certificate == null || key == null || authority == null
                    ? Optional.empty()
                    : Optional.of(TlsFiles.ofPeers(certificate, key, authority));
        }

        /**
         * Returns the host and port at which other replicas reach this replica, as in a URL.
         *
         * @param environment the environment variables of the process; in a pod, {@code POD_IP} is the pod's address
         * @param ownAddress a supplier of the address of this machine; called only if no other address is known
         */
        public String advertised(Map<String, String> environment, Supplier<String> ownAddress) {
            return Optional.ofNullable(advertisedAddress)
                    .flatMap(written -> ConfigPeerAddress.read(written, port))
                    .or(() -> ConfigHostRule.isWildcard(host)
                            ? Optional.empty()
                            : Optional.of(new ConfigPeerAddress(host, port)))
                    .or(() -> Optional.ofNullable(environment.get("POD_IP"))
                            .flatMap(address -> ConfigPeerAddress.read(address, port)))
                    .orElseGet(() -> new ConfigPeerAddress(ownAddress.get(), port))
                    .toString();
        }
    }

    /** Returns true if everybody who can reach the management port over the network may read it. */
    boolean isOpenToTheNetwork() {
        return management.access() == ManagementAccess.OPEN && !ConfigHostRule.isLoopback(management.host());
    }

    /**
     * Returns true if this configuration cannot be for a pod: it has a fixed address for the management port, or it
     * selects a kubeconfig or a context.
     */
    boolean isForAMachine() {
        return !ConfigHostRule.isWildcard(management.host())
                || kubernetes.kubeconfig() != null
                || kubernetes.context() != null;
    }

    /** Determines who may read the management port. */
    public enum ManagementAccess {
        OPEN,
        KUBERNETES
    }

    /**
     * The cluster that the gateway watches.
     *
     * @param kubeconfig the kubeconfig file; null to search for one as kubectl does, or to use the service account of
     *     the pod if there is none
     * @param context the context of the kubeconfig; null for the current context
     * @param events whether the gateway writes Kubernetes Events about its decisions
     * @param summary whether the replicas keep their counts of decisions in a ConfigMap
     */
    public record Kubernetes(
            @Nullable Path kubeconfig, @Nullable String context, boolean events, boolean summary) {

        public static final Kubernetes DEFAULT = new Kubernetes(null, null);

        /** Creates a configuration that writes no Events. */
        public Kubernetes(@Nullable Path kubeconfig, @Nullable String context) {
            this(kubeconfig, context, /* events= */ false, /* summary= */ true);
        }

        public Kubernetes {
            ConfigFileRule.require("kubernetes.kubeconfig", kubeconfig);
            if (context != null && context.isBlank()) {
                throw new IllegalArgumentException("kubernetes.context is blank");
            }
        }
    }

    /** The section with additional names by which GPUs and their device plugins are recognized. */
    public record GpuTable(VendorNames nvidia, VendorNames amd, VendorNames intel) {

        public static final GpuTable DEFAULT = new GpuTable(VendorNames.NONE, VendorNames.NONE, VendorNames.NONE);

        /** Makes these names known to all parts of this process. */
        public void use() {
            GpuVendor.addNames(Map.of(GpuVendor.NVIDIA, nvidia, GpuVendor.AMD, amd, GpuVendor.INTEL, intel));
        }
    }

    /**
     * The section for the injection of CPU, memory and other resources into GPU containers.
     *
     * @param file the injection file; null to inject nothing
     * @param keepUserValues whether values that a user wrote into a GPU container are kept
     */
    public record InjectionFile(@Nullable Path file, boolean keepUserValues) {

        public static final InjectionFile DEFAULT = new InjectionFile(null, /* keepUserValues= */ false);

        public InjectionFile {
            ConfigFileRule.require("injection.file", file);
        }

        Injector injector(InjectionRules rules) {
            return new Injector(rules, keepUserValues ? Injector.UserValues.KEPT : Injector.UserValues.OVERWRITTEN);
        }
    }
}
