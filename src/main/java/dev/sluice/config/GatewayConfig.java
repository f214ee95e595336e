package dev.sluice.config;

import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.Policies;
import dev.sluice.log.LogFormat;
import dev.sluice.log.LogLevel;
import dev.sluice.tls.TlsEngine;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the gateway; {@code conf/gateway.yaml} explains each key. The constructors throw
 * {@link IllegalArgumentException} for values that the loader reports as problems.
 */
public record GatewayConfig(
        Webhook webhook,
        Tls tls,
        Management management,
        Kubernetes kubernetes,
        Policies policy,
        InjectionFile injection,
        Log log) {

    public static final GatewayConfig DEFAULT = new GatewayConfig(
            Webhook.DEFAULT,
            Tls.DEFAULT,
            Management.DEFAULT,
            Kubernetes.DEFAULT,
            Policies.DEFAULT,
            InjectionFile.DEFAULT,
            Log.DEFAULT);

    public GatewayConfig {
        if (webhook.port == management.port) {
            throw new IllegalArgumentException("webhook.port and management.port are both " + webhook.port);
        }
    }

    /** The keys that a restart alone brings into use and whose values differ, each with both values. */
    public List<String> keysThatDiffer(GatewayConfig other) {
        List<String> different = new ArrayList<>();
        compare("webhook", webhook, other.webhook, different);
        compare("tls", tls, other.tls, different);
        compare("management", management, other.management, different);
        compare("kubernetes", kubernetes, other.kubernetes, different);
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

    /** The server that the API server calls. */
    public record Webhook(String host, int port, int maxBodyBytes, int drainSeconds, int warmUpReviews) {

        /**
         * 8 MiB: the API server takes 3 MiB, and a review may carry the object twice. 5 s: the readiness probe of the
         * manifests sees after 4 s at the latest that a replica stops (two probes, 2 s apart), and proxies follow the
         * endpoints within a second. 400 reviews: the JVM compiles a method after 128 calls or more, and not every
         * review calls each of them.
         */
        public static final Webhook DEFAULT = new Webhook("0.0.0.0", 8443, 8 << 20, 5, 400);

        /** Drains and warms up as by default. */
        public Webhook(String host, int port, int maxBodyBytes) {
            this(host, port, maxBodyBytes, DEFAULT.drainSeconds, DEFAULT.warmUpReviews);
        }

        public Webhook {
            HostRule.require("webhook.host", host);
            IntRange.PORTS.require("webhook.port", port);
            IntRange.BODY_BYTES.require("webhook.maxBodyBytes", maxBodyBytes);
            IntRange.DRAIN_SECONDS.require("webhook.drainSeconds", drainSeconds);
            IntRange.WARM_UP_REVIEWS.require("webhook.warmUpReviews", warmUpReviews);
        }

        Webhook withPort(int other) {
            return new Webhook(host, other, maxBodyBytes, drainSeconds, warmUpReviews);
        }
    }

    /**
     * The gateway's certificate and the client certificates that it requires.
     *
     * @param clientCa the authorities of client certificates; null if clients need none
     * @param clientNames a client certificate must bear one of these names; if empty, it may bear any
     * @param selfManaged how the gateway makes its own certificates, if it does
     */
    public record Tls(
            TlsMode mode,
            TlsEngine engine,
            Path certificate,
            Path key,
            @Nullable Path clientCa,
            Set<String> clientNames,
            SelfManaged selfManaged) {

        /** The Secret is mounted where the predecessor mounted it. */
        public static final Tls DEFAULT = new Tls(
                TlsMode.FILES,
                TlsEngine.OPENSSL,
                Path.of("/etc/webhook/certs/tls.crt"),
                Path.of("/etc/webhook/certs/tls.key"),
                null,
                Set.of(),
                SelfManaged.DEFAULT);

        /** Makes its own certificates as by default, if at all. */
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
            FileRule.require("tls.certificate", certificate);
            FileRule.require("tls.key", key);
            FileRule.require("tls.clientCa", clientCa);
            clientNames = Set.copyOf(clientNames);
            if (clientCa == null && !clientNames.isEmpty()) {
                throw new IllegalArgumentException("tls.clientNames without tls.clientCa");
            }
        }
    }

    /** Where the certificate comes from. */
    public enum TlsMode {
        FILES,
        SELF_MANAGED
    }

    /**
     * The certificates that the gateway makes itself.
     *
     * @param names further names and addresses by which it is called
     * @param certificateSeconds the lifetime of its certificate
     * @param authoritySeconds the lifetime of the authority, at least twice the certificate's
     */
    public record SelfManaged(Set<String> names, int certificateSeconds, int authoritySeconds) {

        /** 90 days, as cert-manager has it, and two years. */
        public static final SelfManaged DEFAULT = new SelfManaged(Set.of(), 7_776_000, 63_072_000);

        public SelfManaged {
            names = Set.copyOf(names);
            IntRange.LIFETIME_SECONDS.require("tls.selfManaged.certificateSeconds", certificateSeconds);
            IntRange.LIFETIME_SECONDS.require("tls.selfManaged.authoritySeconds", authoritySeconds);
            if (!overlap(certificateSeconds, authoritySeconds)) {
                throw new IllegalArgumentException("tls.selfManaged.authoritySeconds is " + authoritySeconds);
            }
        }

        static boolean overlap(int certificateSeconds, int authoritySeconds) {
            return authoritySeconds >= 2L * certificateSeconds;
        }
    }

    /** How the gateway tells what it does. */
    public record Log(LogFormat format, LogLevel level) {

        public static final Log DEFAULT = new Log(LogFormat.TEXT, LogLevel.INFO);
    }

    /**
     * The server of probes, metrics, the API and the console.
     *
     * @param diagnosisSeconds the pause between two diagnoses of the cluster; 0 for none
     * @param nodeSeries the maximum number of nodes with devices that have series of their own in the metrics
     * @param vertxSeries whether the metrics have the series of Vert.x, about its event bus, servers and thread pools
     */
    public record Management(
            String host, int port, int diagnosisSeconds, ManagementAccess access, int nodeSeries, boolean vertxSeries) {

        public static final Management DEFAULT =
                new Management("0.0.0.0", 9090, 0, ManagementAccess.OPEN, 100, /* vertxSeries= */ false);

        /** Nobody diagnoses the cluster. */
        public Management(String host, int port) {
            this(host, port, DEFAULT.diagnosisSeconds, DEFAULT.access, DEFAULT.nodeSeries, DEFAULT.vertxSeries);
        }

        public Management {
            HostRule.require("management.host", host);
            IntRange.PORTS.require("management.port", port);
            IntRange.DIAGNOSIS_SECONDS.require("management.diagnosisSeconds", diagnosisSeconds);
            IntRange.NODE_SERIES.require("management.nodeSeries", nodeSeries);
        }
    }

    /** True if whoever reaches the management port over a network may read it. */
    boolean isOpenToTheNetwork() {
        return management.access() == ManagementAccess.OPEN && !HostRule.isLoopback(management.host());
    }

    /**
     * True if it is certainly for a machine, because a pod has neither an address that is known before nor a
     * kubeconfig.
     */
    boolean isForAMachine() {
        return !HostRule.isWildcard(management.host())
                || kubernetes.kubeconfig() != null
                || kubernetes.context() != null;
    }

    /** Who may read the management port. */
    public enum ManagementAccess {
        OPEN,
        KUBERNETES
    }

    /**
     * The cluster to watch.
     *
     * @param kubeconfig null means the usual search, which ends at the service account of the pod
     * @param context null means the current context of the kubeconfig
     * @param events whether Kubernetes Events tell what was decided
     */
    public record Kubernetes(
            @Nullable Path kubeconfig, @Nullable String context, boolean events) {

        public static final Kubernetes DEFAULT = new Kubernetes(null, null);

        /** No Events are written. */
        public Kubernetes(@Nullable Path kubeconfig, @Nullable String context) {
            this(kubeconfig, context, /* events= */ false);
        }

        public Kubernetes {
            FileRule.require("kubernetes.kubeconfig", kubeconfig);
            if (context != null && context.isBlank()) {
                throw new IllegalArgumentException("kubernetes.context is blank");
            }
        }
    }

    /**
     * The injection of resources for GPUs.
     *
     * @param file null if nothing is injected
     * @param keepUserValues whether the values that a user wrote into a GPU container stay
     */
    public record InjectionFile(@Nullable Path file, boolean keepUserValues) {

        public static final InjectionFile DEFAULT = new InjectionFile(null, /* keepUserValues= */ false);

        public InjectionFile {
            FileRule.require("injection.file", file);
        }

        Injector injector(InjectionRules rules) {
            return new Injector(rules, keepUserValues ? Injector.UserValues.KEPT : Injector.UserValues.OVERWRITTEN);
        }
    }
}
