package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.app.AssembledGateway;
import dev.sluice.app.ClusterSource;
import dev.sluice.app.SluiceParts;
import dev.sluice.cli.demo.EmbeddedDemoStage;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.tls.TlsEngine;
import dev.sluice.webhook.RawClient;
import dev.sluice.webhook.Reply;
import dev.sluice.webhook.Requests;
import dev.sluice.webhook.TestTls;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole gateway over its two ports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SluiceSocketTest {

    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+ \\S+)");

    private final TestTls tls = new TestTls();
    private int webhook;
    private int management;
    private AssembledGateway sluice;

    @BeforeAll
    void start() throws Exception {
        webhook = Ports.free();
        management = Ports.free();
        sluice = start(new ClusterSource.Embedded());
        Amounts gpus = Amounts.of(ResourceName.NVIDIA_GPU, 8);
        Node node = new Node("gpu-1", Map.of(), List.of(), /* unschedulable= */ false, gpus, gpus, 0);
        var _ = await(EmbeddedDemoStage.show(sluice, List.of(node), List.of(), DraState.NONE));
    }

    private AssembledGateway start(ClusterSource source) throws Exception {
        return await(AssembledGateway.start(new SluiceParts(
                tls.secure(new HttpServerOptions().setHost("localhost").setPort(webhook), TlsEngine.OPENSSL),
                1024 * 1024,
                new HttpServerOptions().setHost("localhost").setPort(management),
                ActivePolicy.DEFAULT,
                ReloadedPolicySource.FIXED,
                source)));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @AfterAll
    void stop() throws Exception {
        var _ = await(sluice.close());
    }

    private Reply manage(String line) throws IOException {
        try (RawClient client = new RawClient(new Socket("localhost", management))) {
            return client.send(Requests.head(line, "Content-Length: 0")).read();
        }
    }

    private Reply ask(byte[] request) throws IOException {
        try (RawClient client = tls.connect(webhook)) {
            return client.send(request).read();
        }
    }

    @Test
    void servesReviewsOnEveryLoop() throws Exception {
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            assertThat(ask(Requests.post(Requests.REVIEW)).body()).contains("\"patchType\":\"JSONPatch\"");
        }
    }

    @Test
    void isAliveAndReady() throws Exception {
        assertThat(manage("GET /livez").status()).isEqualTo(200);
        assertThat(manage("GET /livez").body()).isEqualTo("ok\n");
        assertThat(manage("GET /readyz").status()).isEqualTo(200);
        assertThat(manage("GET /readyz").body()).isEqualTo("ok\n");
    }

    @Test
    void listsEachCheckWhereAsked() throws Exception {
        Reply reply = manage("GET /readyz?verbose");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body())
                .startsWith("[+] cluster listed: 1 node, generation ")
                .contains("[+] not stopping\n")
                .endsWith("readyz check passed\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mutate", "/mutate--v1-pod", "/healthz", "/metricsx", "/api", "/livez/x", "/%zz"})
    void hasNothingElseOnTheManagementPort(String path) throws Exception {
        assertThat(manage("POST " + path).status()).isIn(400, 404);
        assertThat(manage("GET " + path).status()).isIn(400, 404);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/decisions?namespace=%zz, application/problem+json",
        "/api/v1/diagnosis?pod=%, application/problem+json",
        "/api/v1/decisions/%zz, application/problem+json",
        "/readyz?%zz, text/plain; charset=utf-8",
    })
    void refusesWhatCannotBeDecoded(String target, String type) throws Exception {
        Reply reply = manage("GET " + target);

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("content-type")).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({"POST, /livez", "PUT, /readyz", "DELETE, /metrics", "OPTIONS, /livez", "POST, /api/v1/capacity"})
    void showsOnlyByGet(String method, String path) throws Exception {
        Reply reply = manage(method + " " + path);

        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.header("allow")).isEqualTo("GET");
    }

    @Test
    void isNotReadyBeforeTheClusterIsListedNorWhileItStops() throws Exception {
        int otherWebhook = Ports.free();
        SluiceSocketTest other = new SluiceSocketTest();
        other.webhook = otherWebhook;
        other.management = Ports.free();
        other.sluice = other.start(new ClusterSource.Live(unreachable()));

        assertThat(other.manage("GET /readyz").status()).isEqualTo(503);
        assertThat(other.manage("GET /readyz?verbose").body())
                .startsWith("[-] cluster listed\n")
                .endsWith("readyz check failed\n");
        assertThat(other.manage("GET /livez").status()).isEqualTo(200);

        Future<?> closed = other.sluice.close();
        assertThat(other.manage("GET /readyz").body()).isEqualTo("stopping\n");
        var _ = await(closed);
    }

    @Test
    void answersReadinessWith503FromTheStopOnThoughItKnowsTheCluster() throws Exception {
        SluiceSocketTest other = new SluiceSocketTest();
        other.webhook = Ports.free();
        other.management = Ports.free();
        other.sluice = other.start(new ClusterSource.Embedded());
        var _ = await(EmbeddedDemoStage.show(other.sluice, List.of(), List.of(), DraState.NONE));
        assertThat(other.manage("GET /readyz").status()).isEqualTo(200);

        Future<?> closed = other.sluice.close();
        assertThat(other.manage("GET /readyz").status()).isEqualTo(503);
        var _ = await(closed);
    }

    /** The discard port, where nobody listens. */
    private static KubernetesClient unreachable() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://localhost:9")
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A connection that is not counted has no limits. */
    @Test
    void countsTheConnectionsOfBothPorts() throws Exception {
        try (RawClient review = tls.connect(webhook)) {
            assertThat(review.send(Requests.post(Requests.REVIEW)).read().status())
                    .isEqualTo(200);
            assertThat(manage("GET /metrics").body())
                    .containsPattern("gpu_webhook_connections\\{port=\"webhook\"} [1-9]")
                    .containsPattern("gpu_webhook_connections\\{port=\"management\"} [1-9]");
        }
    }

    @Test
    void showsOfEachConsumerThatItHasDroppedNoRecord() throws Exception {
        String metrics = manage("GET /metrics").body();

        for (String consumer : List.of("log", "events", "stream")) {
            assertThat(metrics).contains("gpu_webhook_records_dropped_total{consumer=\"" + consumer + "\"} 0.0\n");
        }
    }

    @Test
    void showsEveryMetricFamilyFromTheStart() throws Exception {
        String metrics = manage("GET /metrics").body();

        assertThat(TYPE.matcher(metrics).results().map(type -> type.group(1)))
                .containsExactlyInAnyOrder(
                        "gpu_webhook_fallback_total counter",
                        "gpu_webhook_decisions_total counter",
                        "gpu_webhook_events_total counter",
                        "gpu_webhook_bypassed_pods_total counter",
                        "gpu_webhook_pods_without_gpu_total counter",
                        "gpu_webhook_reviews_passed_total counter",
                        "gpu_webhook_requests_refused_total counter",
                        "gpu_webhook_connections gauge",
                        "gpu_webhook_access_refused_total counter",
                        "gpu_webhook_certificate_not_after_timestamp_seconds gauge",
                        "gpu_webhook_certificate_loaded_timestamp_seconds gauge",
                        "gpu_webhook_certificate_reloads_total counter",
                        "gpu_webhook_certificate_files_refused gauge",
                        "gpu_webhook_handshake_failures_total counter",
                        "gpu_webhook_replication_in_sync gauge",
                        "gpu_webhook_replication_term gauge",
                        "gpu_webhook_replication_lag_entries gauge",
                        "gpu_webhook_replication_entries gauge",
                        "gpu_webhook_replication_takeovers_total counter",
                        "gpu_webhook_replication_refused_joins_total counter",
                        "gpu_webhook_replication_last_takeover_seconds gauge",
                        "gpu_webhook_peer_messages_total counter",
                        "gpu_webhook_peer_connects_total counter",
                        "gpu_webhook_peers_refused_total counter",
                        "gpu_webhook_reviews_forwarded_total counter",
                        "gpu_webhook_forward_duration_seconds histogram",
                        "gpu_webhook_records_dropped_total counter",
                        "gpu_webhook_scrape_missing gauge",
                        "gpu_webhook_build_info gauge",
                        "netty_direct_memory_used_bytes gauge",
                        "jvm_memory_used_bytes gauge",
                        "jvm_memory_committed_bytes gauge",
                        "jvm_memory_max_bytes gauge",
                        "jvm_buffer_pool_used_bytes gauge",
                        "jvm_buffer_pool_used_buffers gauge",
                        "jvm_gc_collection_seconds summary",
                        "jvm_threads_current gauge",
                        "jvm_threads_daemon gauge",
                        "jvm_threads_peak gauge",
                        "jvm_classes_currently_loaded gauge",
                        "process_cpu_seconds_total counter",
                        "process_start_time_seconds gauge",
                        "process_open_fds gauge",
                        "process_max_fds gauge",
                        "process_resident_memory_bytes gauge",
                        "process_virtual_memory_bytes gauge",
                        "gpu_webhook_body_memory_bytes gauge",
                        "gpu_webhook_abuse_total counter",
                        "gpu_webhook_faults_total counter",
                        "gpu_webhook_review_duration_seconds histogram",
                        "gpu_webhook_synced gauge",
                        "gpu_webhook_lease_held gauge",
                        "gpu_webhook_reserving gauge",
                        "gpu_webhook_deciding gauge",
                        "gpu_webhook_policy_generation gauge",
                        "gpu_webhook_policy_refused_total counter",
                        "gpu_webhook_policy_files_refused gauge",
                        "gpu_webhook_snapshot_generation gauge",
                        "gpu_webhook_snapshot_nodes gauge",
                        "gpu_webhook_resource_allocatable gauge",
                        "gpu_webhook_resource_allocated gauge",
                        "gpu_webhook_resource_reserved gauge",
                        "gpu_webhook_resource_available gauge",
                        "gpu_webhook_resources_without_series gauge",
                        "gpu_webhook_node_allocatable gauge",
                        "gpu_webhook_node_allocated gauge",
                        "gpu_webhook_node_available gauge",
                        "gpu_webhook_watch_relists_total counter",
                        "gpu_webhook_watch_failures_total counter",
                        "gpu_webhook_watch_last_heard_timestamp_seconds gauge",
                        "gpu_webhook_watch_current_as_of_timestamp_seconds gauge",
                        "gpu_webhook_watch_passed_over_total counter",
                        "gpu_webhook_watch_unread_objects gauge",
                        "gpu_webhook_ledger_pods gauge",
                        "gpu_webhook_ledger_assumed_decisions gauge",
                        "gpu_webhook_ledger_unplaced_pods gauge",
                        "gpu_webhook_ledger_overcommitted_pods gauge",
                        "gpu_webhook_ledger_broken_promises_total counter",
                        "gpu_webhook_ledger_event_faults_total counter",
                        "gpu_webhook_ledger_audit_findings gauge",
                        "gpu_webhook_ledger_assumed_bytes gauge",
                        "gpu_webhook_ledger_decisions_gave_way_total counter",
                        "gpu_webhook_ledger_decisions_replaced_total counter",
                        "gpu_webhook_ledger_late_pods_total counter",
                        "gpu_webhook_ledger_decisions_not_reserved_total counter",
                        "gpu_webhook_log_lines_lost_total counter");
        assertThat(metrics)
                .contains("gpu_webhook_faults_total 0")
                .contains("gpu_webhook_scrape_missing{part=\"gateway-0\"} 0")
                .doesNotContainPattern("gpu_webhook_scrape_missing\\{part=\"[a-z0-9-]+\"} 1")
                .contains("gpu_webhook_policy_files_refused 0")
                .contains("gpu_webhook_ledger_broken_promises_total 0")
                .contains("gpu_webhook_ledger_event_faults_total 0")
                .contains("gpu_webhook_ledger_audit_findings{differs=\"pods\"} 0")
                .contains("gpu_webhook_fallback_total{from=\"nvidia.com/mig-3g.40gb\",to=\"nvidia.com/gpu\"} 0")
                .contains("gpu_webhook_requests_refused_total{status=\"413\"} 0")
                .contains("gpu_webhook_snapshot_nodes 1");
    }

    @Test
    void countsWhatItRefuses() throws Exception {
        String series = "gpu_webhook_requests_refused_total\\{status=\"415\"} ";
        assertThat(manage("GET /metrics").body()).containsPattern(series + "0");

        assertThat(ask(Requests.head("POST /mutate").getBytes(StandardCharsets.UTF_8))
                        .status())
                .isEqualTo(415);

        assertThat(manage("GET /metrics").body()).containsPattern(series + "1");
    }
}
