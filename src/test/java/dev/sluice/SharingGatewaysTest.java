package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.app.AssembledGateway;
import dev.sluice.app.CertificateSource;
import dev.sluice.app.ClusterSource;
import dev.sluice.app.SluiceParts;
import dev.sluice.lease.FakeLeaseServer;
import dev.sluice.peers.PeerPortSettings;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.reload.ReloadedTlsFiles;
import dev.sluice.replication.ReplicationTimes;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two whole gateways in this JVM that share their reservations: one cluster, one Lease, and real ports. */
class SharingGatewaysTest {

    private static final String NODES = """
            {"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[
            {"metadata":{"name":"n1","resourceVersion":"5"},
            "status":{"capacity":{"nvidia.com/gpu":"8","pods":"9"},"allocatable":{"nvidia.com/gpu":"8","pods":"9"}}}]}""";

    private static final String EMPTY =
            "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";

    private static final String PEER_CERTIFICATE_END =
            "gpu_webhook_certificate_not_after_timestamp_seconds{certificate=\"peers\"}";

    private final Vertx vertx = Vertx.vertx();
    private final Instant now = Instant.now();
    private final CertificateAuthority authority = CertificateAuthority.create(now, Duration.ofDays(9));
    private final CertificateAuthority replicas =
            CertificateAuthority.create(now, Duration.ofDays(9), CertificateUse.PEERS);
    private final List<GatewayUnderTest> gateways = new ArrayList<>();
    private final List<TlsMount> mounts = new ArrayList<>();
    private FakeLeaseServer server;

    @TempDir
    private Path directory;

    @BeforeEach
    void startsBoth() throws Exception {
        server = new FakeLeaseServer(vertx);
        server.list("/api/v1/nodes", NODES);
        server.list("/api/v1/pods", EMPTY);
        server.list("/api/v1/limitranges", EMPTY);
        start("first");
        eventually(() -> isReady(gateways.getFirst()));
        start("second");
        for (GatewayUnderTest gateway : gateways) {
            eventually(() -> isReady(gateway) && gateway.metric("gpu_webhook_replication_in_sync") == 2);
        }
    }

    @AfterEach
    void stopsAll() throws Exception {
        gateways.forEach(GatewayUnderTest::close);
        server.stop();
        vertx.close().await();
    }

    private void start(String name) throws Exception {
        int port = Ports.free();
        int managementPort = Ports.free();
        int peerPort = Ports.free();
        TlsMount mount = TlsMount.of(Files.createDirectory(directory.resolve(name)), secret(1));
        mounts.add(mount);
        ReloadedTlsFiles files = mount.peers(TlsEngine.best());
        ServerCertificateNames names = new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1"));
        ServerTls tls = ServerTls.open(authority.issue(names, now, Duration.ofDays(1)), TlsEngine.best());
        Policy policy = PolicySwitches.with(Policy.DEFAULT, Policy.Mode.AVAILABILITY);
        SluiceParts parts = new SluiceParts(
                tls.secure(new HttpServerOptions().setHost("127.0.0.1").setPort(port)),
                1024 * 1024,
                new HttpServerOptions().setHost("127.0.0.1").setPort(managementPort),
                ActivePolicy.first(new Policies(policy, Map.of()), Injector.NONE),
                ReloadedPolicySource.FIXED,
                new ClusterSource.Live(server.client(), ReplicationTimes.of(4_000), /* summary= */ false),
                ClientCertificateNames.ANY,
                Optional.empty(),
                Duration.ZERO,
                /* nodeSeries= */ 100,
                /* vertxSeries= */ false,
                /* events= */ false,
                Set.of(),
                /* warmUpReviews= */ 0,
                Optional.of(new PeerPortSettings(
                        "127.0.0.1",
                        peerPort,
                        "127.0.0.1:" + peerPort,
                        files.first().tls())),
                Optional.of(new CertificateSource.MountedFiles(files)),
                Optional.empty());
        gateways.add(new GatewayUnderTest(
                GatewayUnderTest.await(AssembledGateway.start(parts)),
                HttpClient.newBuilder()
                        .sslContext(TlsMount.client(null, authority))
                        .build(),
                port,
                managementPort));
    }

    private Map<String, String> secret(int days) {
        CertifiedKey pair = replicas.issueForPeers(now, Duration.ofDays(days));
        return TlsMount.secret(replicas, pair);
    }

    private static boolean isReady(GatewayUnderTest gateway) throws Exception {
        return gateway.page("/readyz").contains("ok");
    }

    private static void eventually(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("it did not become such").isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private static byte[] review(String uid) {
        return """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "%s",
                 "kind": {"group": "", "version": "v1", "kind": "Pod"}, "operation": "CREATE", "namespace": "team",
                 "dryRun": false, "object": {"metadata": {"name": "train"}, "spec": {"containers": [{"name": "c",
                   "resources": {"limits": {"nvidia.com/gpu": 1}, "requests": {"nvidia.com/gpu": 1}}}]}}}}
                """.formatted(uid).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theOneThatDoesNotDecideAnswersByTheOther() throws Exception {
        GatewayUnderTest holder = gateways.getFirst();
        GatewayUnderTest other = gateways.getLast();
        assertThat(holder.metric("gpu_webhook_deciding")).isEqualTo(1);
        assertThat(other.metric("gpu_webhook_deciding")).isZero();
        eventually(() -> holder.page("/readyz?verbose").contains("entries behind this replica: "));

        assertThat(other.post(review("u1"))).contains("\"uid\":\"u1\"").contains("\"patch\"");

        for (GatewayUnderTest gateway : gateways) {
            assertThat(gateway.page("/api/v1/decisions")).contains("\"u1\"");
            eventually(() -> gateway.metric("gpu_webhook_replication_entries") == 1);
            assertThat(gateway.metric("gpu_webhook_connections{port=\"peers\"}"))
                    .as("the limits of connections hold for the port for replicas")
                    .isPositive();
        }
    }

    @Test
    void theCertificateForOtherReplicasIsReadAgain() throws Exception {
        for (int i = 0; i < gateways.size(); i++) {
            GatewayUnderTest gateway = gateways.get(i);
            double end = gateway.metric(PEER_CERTIFICATE_END);
            assertThat(end).as("the end of the first certificate").isPositive();
            mounts.get(i).swap(secret(2));
            eventually(() -> gateway.metric(PEER_CERTIFICATE_END) > end);
        }
        assertThat(gateways.getLast().post(review("u1"))).contains("\"patch\"");
    }

    @Test
    void whoeverIsToldToStopServesOnWhileTheOtherDecides() throws Exception {
        GatewayUnderTest holder = gateways.getFirst();
        GatewayUnderTest other = gateways.getLast();
        Future<?> left = holder.sluice().leave(Duration.ofSeconds(3));
        eventually(() -> holder.page("/readyz").contains("stopping"));
        eventually(() -> other.metric("gpu_webhook_deciding") == 1);
        assertThat(left.isComplete()).isFalse();
        assertThat(holder.post(review("u1"))).contains("\"patch\"");

        eventually(() -> !other.page("/readyz?verbose").contains("entries behind this replica"));
        assertThat(other.sluice().leave(Duration.ofSeconds(3)).isComplete())
                .as("the last one does not wait for anybody")
                .isTrue();
        assertThat(isReady(other)).isTrue();
    }
}
