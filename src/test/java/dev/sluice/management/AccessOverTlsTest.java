package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.api.DocumentResponse;
import dev.sluice.bus.ClusterUsageReply;
import dev.sluice.bus.LedgerCopyReply;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.DiagnosisState;
import dev.sluice.doctor.ResourceFaults;
import dev.sluice.kube.client.AccessQuestions;
import dev.sluice.kube.client.Caller;
import dev.sluice.ledger.Ledger;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.parts.AccessRefusal;
import dev.sluice.metrics.parts.ManagementMetrics;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.record.ReviewRecordBatch;
import dev.sluice.record.SampleRecords;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A management port that asks who may read, as its clients see it. */
class AccessOverTlsTest {

    private static final RecordFlushRequest NOTHING_HELD = new RecordFlushRequest(List.of());
    private static final String OPENAPI = "/api/v1/openapi.json";
    private static final Duration VALID = Duration.ofDays(1);

    /**
     * Tokens are the names of their owners; reader may get everything, stranger nothing, and tenant may create pods in
     * the namespace team-a.
     */
    private static final class TokenNames implements AccessQuestions {
        private volatile boolean down;

        @Override
        public Optional<Caller> authenticate(String token, Duration patience) throws IOException {
            if (down) {
                throw new IOException("connection refused");
            }
            return List.of("reader", "api-reader", "stranger", "tenant").contains(token)
                    ? Optional.of(new Caller(token, "", List.of(), Map.of()))
                    : Optional.empty();
        }

        @Override
        public boolean mayGet(Caller caller, String path, Duration patience) {
            return caller.name().equals("reader")
                    || (caller.name().equals("api-reader") && path.startsWith("/gpu-webhook/api/"));
        }

        @Override
        public boolean mayCreatePods(Caller caller, String namespace, Duration patience) {
            return caller.name().equals("tenant") && namespace.equals("team-a");
        }
    }

    private final TokenNames cluster = new TokenNames();
    private final ManagementMetrics metrics =
            new ManagementMetrics(new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter()));
    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), VALID);
    private final ServerTls first = pair();
    private final Vertx vertx = Vertx.vertx();
    private HttpClient client = HttpClient.newHttpClient();
    private final int port = Ports.free();

    private ServerTls pair() {
        ServerCertificateNames names = new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1"));
        CertifiedKey pair = authority.issue(names, Instant.now(), VALID);
        return ServerTls.open(pair, TlsEngine.best());
    }

    @BeforeEach
    void start() throws Exception {
        Topic.install(vertx);
        Connections connections = new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter());
        var _ = await(vertx.deployVerticle(new ManagementVerticle(
                new ManagementPortSettings(
                        first.secure(
                                new HttpServerOptions().setHost("localhost").setPort(port)),
                        connections,
                        ActivePolicy.DEFAULT,
                        Optional.empty(),
                        () -> Instant.EPOCH,
                        metrics,
                        Set.of(),
                        Optional.of(AccessOverTlsTest::explain),
                        Optional.of(cluster),
                        Optional.empty()),
                new Scrape(List.of(), NOTHING_HELD),
                NOTHING_HELD,
                List.of())));
        client = trusting();
    }

    /** Says what it was asked. */
    private static DocumentResponse explain(
            ManagementManifestExplainer.ExplainQuestion question, ManagementManifestExplainer.ExplainBasis basis) {
        return DocumentResponse.problem(
                200,
                "asked",
                "namespace " + question.namespace().orElse("none") + ", tenant " + question.isOfTenant() + ", text "
                        + question.text() + ", bytes " + question.json().length());
    }

    private HttpClient trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "authority",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(
                                authority.certificatePem().getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        var _ = await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port + path));
    }

    private HttpResponse<String> get(String path, String authorization) throws Exception {
        return send(request(path).header("Authorization", authorization));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Test
    void whoHasTheRightReads() throws Exception {
        assertThat(get(OPENAPI + "?query=none", "Bearer reader").body()).contains("openapi");
        assertThat(get("/metrics", "bearer  reader").statusCode()).isEqualTo(200);
        assertThat(get("/nothing", "Bearer reader").statusCode()).isEqualTo(404);
    }

    @Test
    void probesNeedNoToken() throws Exception {
        assertThat(send(request("/livez")).statusCode()).isEqualTo(200);
        assertThat(send(request("/readyz")).body()).isEqualTo("the cluster has not been listed yet\n");
        assertThat(get("/readyz?verbose", "Bearer garbage").statusCode()).isEqualTo(503);
    }

    /** Its files say nothing about the cluster; the page needs a token for its data. */
    @Test
    void theConsoleNeedsNoToken() throws Exception {
        assertThat(send(request("/console/")).statusCode()).isEqualTo(200);
        assertThat(get("/console/", "Bearer garbage").statusCode()).isEqualTo(200);
        assertThat(send(request("/console/../api/v1/capacity")).statusCode()).isNotEqualTo(200);
        assertThat(send(request("/console/..%2fapi/v1/capacity")).statusCode()).isEqualTo(404);
        assertThat(send(request("/console/%2e%2e/api/v1/capacity")).statusCode())
                .isEqualTo(404);
        assertThat(send(request("/")).body()).contains("/console/");
    }

    @Test
    void theListOfPathsNamesOnlyWhatItsReaderMayRead() throws Exception {
        String probes = "/livez";
        String nothing = send(request("/")).body();

        assertThat(nothing).contains(probes, "management.access: kubernetes").doesNotContain("/metrics", "/api/");
        assertThat(get("/", "Bearer stranger").body()).isEqualTo(nothing);
        assertThat(get("/", "Bearer garbage").body()).isEqualTo(nothing);
        assertThat(get("/", "Bearer api-reader").body())
                .contains(probes, "/api/v1/capacity", "management.access")
                .doesNotContain("/metrics");
        assertThat(get("/", "Bearer reader").body())
                .contains(probes, "/api/v1/capacity", "/metrics")
                .doesNotContain("management.access");
    }

    @Test
    void theChecksBehindReadinessAreShownToThoseWhoMayReadTheApi() throws Exception {
        String checks = "readyz check failed";
        assertThat(get("/readyz?verbose", "Bearer api-reader").body()).contains(checks);
        assertThat(get("/readyz?verbose", "Bearer stranger").body()).doesNotContain(checks);
        assertThat(send(request("/readyz?verbose")).body()).doesNotContain(checks);
    }

    @Test
    void aBrowserMayOnlyShowAnAnswer() throws Exception {
        for (HttpResponse<String> answer :
                List.of(send(request("/livez")), send(request("/metrics")), get(OPENAPI, "Bearer reader"))) {
            assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
            assertThat(header(answer, "Content-Security-Policy")).startsWith("default-src 'none'");
            assertThat(header(answer, "Access-Control-Allow-Origin")).isEmpty();
        }
    }

    @Test
    void withoutAValidTokenTheAnswerAsksForOne() throws Exception {
        String tooLong = "reader" + "x".repeat(AccessGate.LONGEST_TOKEN);
        for (HttpResponse<String> answer : List.of(
                send(request("/metrics")),
                send(request("/livez/")),
                get("/metrics", "Basic cmVhZGVyOg=="),
                get("/metrics", "Bearer "),
                get("/metrics", "Bearer garbage"),
                get("/nothing", "Bearer garbage"),
                get("/metrics", "Bearer " + tooLong))) {
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(header(answer, "WWW-Authenticate")).isEqualTo("Bearer");
            assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("\"status\":401").doesNotContain("garbage");
        }
    }

    @Test
    void aTokenWithoutTheRightIsForbidden() throws Exception {
        HttpResponse<String> answer = get("/api/v1/decisions?limit=1", "Bearer stranger");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.body())
                .contains("no right to get the nonResourceURL /gpu-webhook/api/v1/decisions, which the ClusterRole"
                        + " gpu-webhook-metrics-reader grants; whoever");
    }

    @Test
    void whoeverIsNotLetInIsCountedByWhy() throws Exception {
        for (String authorization :
                List.of("Basic cmVhZGVyOg==", "Bearer garbage", "Bearer stranger", "Bearer reader")) {
            var _ = get("/metrics", authorization);
        }
        cluster.down = true;
        var _ = get(OPENAPI, "Bearer reader");

        for (AccessRefusal refusal : AccessRefusal.values()) {
            assertThat(metrics.families()
                            .counter(MetricName.ACCESS_REFUSED, "reason", refusal.word())
                            .getCount())
                    .as(refusal.word())
                    .isEqualTo(1);
        }
    }

    @Test
    void theRightToOnePathOpensNoOtherThatIsWrittenAroundIt() throws Exception {
        assertThat(get(OPENAPI, "Bearer api-reader").statusCode()).isEqualTo(200);

        for (String path : List.of("/metrics", "/api/v1/../../metrics", "/api/%2e%2e/metrics", "/livez/../metrics")) {
            assertThat(get(path, "Bearer api-reader").statusCode()).as(path).isNotEqualTo(200);
        }
    }

    @Test
    void withoutTheApiServerWhoWasAllowedReadsOnAndOthersComeAgain() throws Exception {
        assertThat(get(OPENAPI, "Bearer reader").statusCode()).isEqualTo(200);
        cluster.down = true;

        assertThat(get(OPENAPI, "Bearer reader").statusCode()).isEqualTo(200);
        HttpResponse<String> unknown = get("/metrics", "Bearer reader");
        assertThat(unknown.statusCode()).isEqualTo(503);
        assertThat(header(unknown, "Retry-After")).isEqualTo("1");
        assertThat(header(unknown, "Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void aRenewedCertificateIsServedWithoutARestart() throws Exception {
        assertThat(served()).isEqualTo(first.identity().certificate());

        ServerTls renewed = pair();
        assertThat(await(await(Service.MANAGEMENT_TLS.ask(vertx, renewed)))).isTrue();

        assertThat(served()).isEqualTo(renewed.identity().certificate());
        assertThat(get(OPENAPI, "Bearer reader").statusCode()).isEqualTo(200);
    }

    private X509Certificate served() throws Exception {
        try (HttpClient fresh = trusting()) {
            HttpResponse<Void> answer = fresh.send(request("/livez").build(), HttpResponse.BodyHandlers.discarding());
            return (X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0];
        }
    }

    private static final String EXPLAIN_OWN = "/api/v1/explain?namespace=team-a";

    private HttpResponse<String> post(String path, String token, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request = request(path)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void listed() {
        Topic.SNAPSHOTS.publish(vertx, Ledger.snapshotOf(List.of()));
        Topic.DIAGNOSES.publish(
                vertx,
                new DiagnosisState.Known(
                        new ClusterDiagnosis(
                                List.of(), List.of(), ResourceFaults.NONE, List.of(), /* podsKnown= */ true),
                        Instant.EPOCH,
                        Instant.EPOCH.plusSeconds(60)));
    }

    @Test
    void aTenantAsksAboutItsNamespaceAndAboutNoOther() throws Exception {
        listed();
        assertThat(get("/api/v1/decisions?namespace=team-a", "Bearer tenant").statusCode())
                .isEqualTo(200);
        assertThat(get("/api/v1/diagnosis?namespace=team-a", "Bearer tenant").statusCode())
                .isEqualTo(200);
        assertThat(post(EXPLAIN_OWN, "tenant", bytes("{}")).body())
                .contains("namespace team-a, tenant true, text false, bytes 2");

        for (String path : List.of(
                "/api/v1/decisions",
                "/api/v1/decisions?namespace=team-b",
                "/api/v1/decisions?namespace=",
                "/api/v1/decisions?namespace=*",
                "/api/v1/decisions?namespace=team-a&namespace=team-b",
                "/api/v1/decisions?namespace=team-b&namespace=team-a",
                "/api/v1/decisions?namespace=team-a&namespace=team-a",
                "/api/v1/decisions?namespace%00=team-a",
                "/api/v1/decisions?namespace=team-a&Namespace=team-b",
                "/api/v1/decisions/?namespace=team-a",
                "/api/v1/decisions/some-uid?namespace=team-a",
                "/api/v1/diagnosis",
                "/api/v1/decisions/summary",
                "/api/v1/decisions/summary?namespace=team-b",
                "/api/v1/diagnosis?namespace=team-b",
                "/api/v1/capacity?namespace=team-a",
                "/api/v1/bypassed?namespace=team-a",
                "/api/v1/events",
                "/api/v1/events?namespace=team-b",
                "/api/v1/fleet",
                "/api/v1/fleet?namespace=team-b",
                "/api/v1/fleet?namespace=team-a&labels=rack",
                "/api/v1/fleet/nodes/n1?namespace=team-a",
                "/api/v1/capacity/history",
                "/api/v1/capacity/holders?namespace=team-b",
                "/api/v1/flow",
                "/api/v1/status?namespace=team-a",
                "/metrics?namespace=team-a")) {
            HttpResponse<String> refused = get(path, "Bearer tenant");
            assertThat(refused.statusCode()).as(path).isEqualTo(403);
        }
        assertThat(post("/api/v1/explain", "tenant", bytes("{}")).statusCode()).isEqualTo(403);
        assertThat(post("/api/v1/explain?namespace=team-b", "tenant", bytes("{}"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(get("/api/v1/decisions?namespace=team-a", "Bearer stranger").statusCode())
                .isEqualTo(403);
    }

    /** The query alone says what the question is about, and the token alone says whose it is. */
    @Test
    void nothingInTheBodyOrInOtherHeadersWidensWhatATenantMayAsk() throws Exception {
        listed();
        HttpResponse<String> answer = post(
                EXPLAIN_OWN,
                "tenant",
                bytes("{\"metadata\":{\"namespace\":\"team-b\"}}"),
                "Impersonate-User",
                "reader",
                "X-Remote-User",
                "reader",
                "X-Forwarded-User",
                "reader");
        assertThat(answer.body()).contains("namespace team-a, tenant true");

        assertThat(send(request("/api/v1/decisions")
                                .header("Authorization", "Bearer tenant")
                                .header("Impersonate-User", "reader"))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void aRefusalTellsATenantHowToAsk() throws Exception {
        assertThat(get("/api/v1/decisions", "Bearer tenant").body()).contains("may ask with ?namespace=NAME");
        assertThat(get("/api/v1/decisions?namespace=team-b", "Bearer tenant").body())
                .contains("may not create pods in the namespace team-b");
    }

    @Test
    void aBodyIsReadOnlyWithinItsLimits() throws Exception {
        listed();
        byte[] largest = new byte[ExplainApiRequests.MOST_BYTES];
        assertThat(post("/api/v1/explain", "reader", largest).body())
                .contains("namespace none, tenant false, text false, bytes " + largest.length);
        assertThat(post("/api/v1/explain?text=true", "reader", bytes("{}")).body())
                .contains("text true");

        assertThat(post(EXPLAIN_OWN, "tenant", new byte[largest.length + 1]).statusCode())
                .isEqualTo(413);
        assertThat(send(request(EXPLAIN_OWN)
                                .header("Authorization", "Bearer tenant")
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofInputStream(
                                        () -> new ByteArrayInputStream(new byte[largest.length + 1]))))
                        .statusCode())
                .isEqualTo(413);
        assertThat(post(EXPLAIN_OWN, "tenant", new byte[100], "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(415);
        assertThat(send(request(EXPLAIN_OWN)
                                .header("Authorization", "Bearer tenant")
                                .header("Content-Type", "application/yaml")
                                .POST(HttpRequest.BodyPublishers.ofString("kind: Pod")))
                        .statusCode())
                .isEqualTo(415);
        assertThat(get(EXPLAIN_OWN, "Bearer tenant").statusCode()).isEqualTo(405);
        assertThat(post("/api/v1/explain?namespace=a&namespace=b", "reader", bytes("{}"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(post("/api/v1/explain?dry=run", "reader", bytes("{}")).statusCode())
                .isEqualTo(400);
        assertThat(send(request(EXPLAIN_OWN).POST(HttpRequest.BodyPublishers.ofByteArray(largest)))
                        .statusCode())
                .isEqualTo(401);
    }

    /** The clock of this test stands still, so no question is produced while it asks. */
    @Test
    void aTenantWhoAsksWithoutEndIsToldToWaitAndNobodyElseIs() throws Exception {
        listed();
        int answered = 0;
        for (int i = 0; i < 100; i++) {
            HttpResponse<String> answer = get("/api/v1/decisions?namespace=team-a&limit=" + (i + 1), "Bearer tenant");
            if (answer.statusCode() == 200) {
                answered++;
            } else {
                assertThat(answer.statusCode()).isEqualTo(429);
                assertThat(header(answer, "Retry-After")).isEqualTo("1");
                assertThat(answer.body()).contains("the namespace team-a asks more than it may");
            }
        }
        assertThat(answered).isEqualTo((int) TenantRequestLimit.BURST);
        assertThat(get("/api/v1/decisions?namespace=team-a", "Bearer reader").statusCode())
                .isEqualTo(200);
        assertThat(send(request("/livez")).statusCode()).isEqualTo(200);
    }

    @Test
    void aTenantSeesTheWholeClusterInNumbersAndItsOwnNamespaceByName() throws Exception {
        listed();
        Service.USAGE.serve(
                vertx,
                _ -> new ClusterUsageReply(
                        Ledger.snapshotOf(List.of()), /* podsKnown= */ true, Map.of(), /* unplaced= */ 0));
        Amounts gpu = Amounts.of(ResourceName.NVIDIA_GPU, 1);
        Node node = new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, gpu, gpu, 0);
        Service.LEDGER_COPY.serve(
                vertx,
                _ -> new LedgerCopyReply(
                        Ledger.snapshotOf(List.of(node)),
                        List.of(
                                new Pod(new PodId(1, 1), "team-a/train", new Pod.Place.Bound("n1"), gpu, "", 1),
                                new Pod(new PodId(1, 2), "team-b/secret", new Pod.Place.Bound("n1"), gpu, "", 1)),
                        DraState.NONE,
                        /* podsKnown= */ true));

        assertThat(get("/api/v1/fleet?namespace=team-a", "Bearer tenant").statusCode())
                .isEqualTo(200);
        assertThat(get("/api/v1/capacity/history?namespace=team-a", "Bearer tenant")
                        .statusCode())
                .isEqualTo(200);
        assertThat(get("/api/v1/flow?namespace=team-a", "Bearer tenant").statusCode())
                .isEqualTo(200);
        assertThat(get("/api/v1/capacity/holders?namespace=team-a", "Bearer tenant")
                        .body())
                .contains("{\"namespace\":\"team-a\",\"pods\":1,\"allocated\":1,\"waiting\":0}")
                .contains("\"others\":{\"pods\":1,\"allocated\":1,\"waiting\":0}")
                .doesNotContain("team-b");
        assertThat(get("/api/v1/capacity/holders?namespace=team-a", "Bearer reader")
                        .body())
                .contains("team-b");
    }

    @Test
    void theStreamOfATenantHasDecisionsOfItsNamespaceOnly() throws Exception {
        listed();
        HttpResponse<InputStream> stream = client.send(
                request("/api/v1/events?namespace=team-a&fleet=")
                        .header("Authorization", "Bearer tenant")
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(stream.statusCode()).isEqualTo(200);
        Topic.DECISIONS.publish(
                vertx,
                new ReviewRecordBatch(List.of(
                        SampleRecords.unchanged().pod("team-b", "secret").record(),
                        SampleRecords.unchanged().pod("team-a", "train").record())));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.lines()
                            .filter(line -> line.startsWith("data: ") && line.contains("namespace"))
                            .findFirst())
                    .hasValueSatisfying(
                            data -> assertThat(data).contains("team-a").doesNotContain("secret"));
        }
    }
}
