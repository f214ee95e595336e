package dev.sluice.tls.selfmanaged;

import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerClientFailure;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile.UnusableFileException;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the rotation of self-managed certificates: waits for the first certificate that this replica can serve.
 * {@link SelfManagedVerticle} continues the rotation with the objects that this class keeps.
 */
public final class SelfManagedTls {

    private static final Logger LOG = LoggerFactory.getLogger(SelfManagedTls.class);

    /** The time limit for the first certificate. The startup probe of the manifests waits 60 s. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(50);

    private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);
    /**
     * The time between two checks of the file with the client authorities. Mounted TLS files are checked at the same
     * interval.
     */
    private static final Duration FILE_POLL_INTERVAL = Duration.ofMillis(500);

    static final String SERVICE = "gpu-webhook";

    /**
     * The configuration of self-managed certificates.
     *
     * @param more names and addresses that the certificate must contain in addition to those of the Service
     * @param clientCa the file with the authorities for client certificates, if clients must present a certificate
     */
    public record Settings(Set<String> more, RotationTimes times, TlsEngine engine, Optional<Path> clientCa) {}

    private final CertificateUse use;
    private final Settings settings;
    private final CertificateStore store;
    private final ApiServer server;
    private final Rotator rotator;
    private final Optional<SelfManagedClientAuthorities> clients;
    private final SelfManagedIdentity served;
    private final ActiveTlsMessage first;

    private SelfManagedTls(CertificateUse use, Settings settings, KubernetesClient client, InstantSource clock)
            throws ClusterStateException, UnusableFileException, InterruptedException {
        this.use = use;
        this.settings = settings;
        this.store = new CertificateStore(client);
        this.server = new ApiServer(client);
        this.clients = SelfManagedClientAuthorities.of(settings.clientCa(), clock);
        this.rotator = new Rotator(store, issuer(), clock);
        this.served = firstServed();
        this.first = ActiveTlsMessage.first(tls(served.pair()), List.of(served.authority()), clock.instant());
    }

    private SelfManagedIssuer issuer() {
        return switch (use) {
            case WEBHOOK -> new SelfManagedIssuer(names(settings.more(), store.namespace()), settings.times());
            case PEERS -> SelfManagedIssuer.ofPeers(settings.times());
        };
    }

    /**
     * Waits for a certificate that the API server trusts. Blocks. The caller has to close the client.
     *
     * @throws ClusterStateException with a sentence for the user if there is no such certificate in time
     */
    public static SelfManagedTls start(Settings settings, KubernetesClient client, InstantSource clock)
            throws ClusterStateException {
        return begin(CertificateUse.WEBHOOK, settings, client, clock);
    }

    /**
     * Waits for a certificate that other replicas accept. Blocks. The caller has to close the client.
     *
     * @throws ClusterStateException with a sentence for the user if there is no such certificate in time
     */
    public static SelfManagedTls startForPeers(
            RotationTimes times, TlsEngine engine, KubernetesClient client, InstantSource clock)
            throws ClusterStateException {
        return begin(CertificateUse.PEERS, new Settings(Set.of(), times, engine, Optional.empty()), client, clock);
    }

    private static SelfManagedTls begin(
            CertificateUse use, Settings settings, KubernetesClient client, InstantSource clock)
            throws ClusterStateException {
        Optional<String> unusable = settings.engine().problem();
        if (unusable.isPresent()) {
            throw new ClusterStateException(unusable.get());
        }
        try {
            return new SelfManagedTls(use, settings, client, clock);
        } catch (UnusableFileException refused) {
            throw new ClusterStateException("tls.clientCa: " + refused.getMessage(), refused);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new ClusterStateException(use.section() + ": stopped before there was a certificate", stopped);
        }
    }

    /**
     * Returns the names for server certificates. The names of the Service come first, because the first name becomes
     * the common name of the certificate.
     */
    private static ServerCertificateNames names(Set<String> more, String namespace) {
        String name = SERVICE + "." + namespace;
        return ServerCertificateNames.of(Stream.concat(
                        Stream.of(name + ".svc", name + ".svc.cluster.local", name, SERVICE),
                        more.stream().sorted())
                .distinct()
                .toList());
    }

    private SelfManagedIdentity firstServed() throws ClusterStateException, InterruptedException {
        long begin = System.nanoTime();
        String problem = "";
        while (System.nanoTime() - begin < START_TIMEOUT.toNanos()) {
            try {
                if (rotator.step(Optional.empty()) instanceof RotationStepOutcome.ServeNow(var identity)) {
                    return identity;
                }
            } catch (KubernetesClientException refused) {
                problem = told(problem, sentence(refused));
                Thread.sleep(RETRY_INTERVAL);
            }
        }
        throw new ClusterStateException(use.section() + ": there is no certificate after " + START_TIMEOUT.toSeconds()
                + " s" + (problem.isEmpty() ? "" : ": " + problem));
    }

    private static String told(String before, String now) {
        if (!now.equals(before)) {
            LOG.atWarn().addKeyValue("problem", now).log("there is no certificate yet");
        }
        return now;
    }

    /**
     * Returns a sentence that names the request that the API server refused, and says what the user can do about it.
     */
    String sentence(KubernetesClientException refused) {
        String what = use == CertificateUse.WEBHOOK
                ? store + " and the caBundle of " + CertificateStore.CONFIGURATION
                : store + ", with the certificates of replicas for each other,";
        return switch (refused.getCode()) {
            case HttpURLConnection.HTTP_FORBIDDEN ->
                what + " need rights that the account lacks: " + ApiServerClientFailure.reason(refused)
                        + "; apply k8s/components/self-managed";
            case 0 -> what + " cannot be reached: " + ApiServerClientFailure.reason(refused);
            default -> what + " cannot be written: " + ApiServerClientFailure.reason(refused);
        };
    }

    ServerTls tls(CertifiedKey pair) {
        List<X509Certificate> authorities = switch (use) {
            case WEBHOOK -> clients.map(SelfManagedClientAuthorities::newest).orElse(List.of());
            case PEERS -> rotator.peerAuthorities();
        };
        return new ServerTls(pair, authorities, settings.engine());
    }

    CertificateUse use() {
        return use;
    }

    /** Returns the certificate that is served at the start. */
    public ActiveTlsMessage first() {
        return first;
    }

    SelfManagedIdentity served() {
        return served;
    }

    Rotator rotator() {
        return rotator;
    }

    SecretChangeNotifier changes() {
        return new SecretChangeNotifier(server, store.namespace(), use);
    }

    Duration filePollInterval() {
        return clients.isPresent() ? FILE_POLL_INTERVAL : START_TIMEOUT;
    }
}
