package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two packaged gateways that add their counts to one ConfigMap of a real API server. They write every 22 to 37 ms in
 * place of about once a minute, so that their writes collide.
 */
@AgainstControlPlane
class SummaryIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OFTEN = "-Dsluice.summary.divisor=2000";

    @Test
    void nothingIsLostWhenWritesCollideAndAReplicaRestarts(Cluster cluster) throws Exception {
        Instant begin = Instant.now();
        String namespace = cluster.namespace();
        ControlPlane plane = cluster.plane();
        Gateway one = gateway(plane, "counting-one");
        Gateway other = gateway(plane, "counting-other");
        try {
            var _ = one.ready();
            var _ = other.ready();
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<Long> ofOther = CompletableFuture.supplyAsync(() -> asked(other, namespace, enough));
            long ofOne = 0;
            try {
                ofOne += askedUntilWritesCollide(one, namespace, plane, begin);
                one.stop();
                one.start();
                ofOne += asked(one, namespace, 20);
            } finally {
                enough.set(true);
            }
            long all = ofOne + ofOther.get();

            Eventually.holds(
                    "both show all " + all + " decisions",
                    () -> count(one, namespace) == all && count(other, namespace) == all);
            Eventually.holds("all are stored", () -> stored(plane, namespace) == all);
            assertThat(collisions(plane, begin)).isPositive();
        } finally {
            one.kill();
            other.kill();
        }
    }

    private static Gateway gateway(ControlPlane plane, String pod) throws IOException {
        Account account = Account.inItsNamespace(plane);
        return Gateway.cold(
                plane,
                pod,
                new Account(account.name(), account.kubeconfig(), Map.of("HOSTNAME", pod)).withJavaOptions(OFTEN),
                Gateway.SHIPPED_POLICY);
    }

    private static long asked(Gateway gateway, String namespace, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            assertThat(gateway.review(Pods.asking("counted-" + i, "nvidia.com/gpu"), namespace)
                            .statusCode())
                    .isEqualTo(200);
        }
        return times;
    }

    private static long asked(Gateway gateway, String namespace, AtomicBoolean enough) {
        try {
            long asked = 0;
            while (!enough.get()) {
                asked += asked(gateway, namespace, 1);
            }
            return asked;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static long askedUntilWritesCollide(Gateway gateway, String namespace, ControlPlane plane, Instant begin) {
        long[] asked = {0};
        Eventually.holds("two writes collide", () -> {
            asked[0] += asked(gateway, namespace, 50);
            return collisions(plane, begin) > 0;
        });
        return asked[0];
    }

    /** The writes that the API server has refused, because another one came first. */
    private static long collisions(ControlPlane plane, Instant begin) throws IOException {
        try (Stream<String> lines = Files.lines(plane.auditLog())) {
            return lines.filter(line -> line.contains("/configmaps/gpu-webhook-summary"))
                    .map(AuditEvent::parse)
                    .filter(event -> event.status() == 409 && event.at().isAfter(begin))
                    .count();
        }
    }

    private static long count(Gateway gateway, String namespace) throws Exception {
        JsonNode summary = JSON.readTree(gateway.page("/api/v1/decisions/summary?since=1h&namespace=" + namespace));
        assertThat(summary.has("onlyThisReplica")).as(summary.toString()).isFalse();
        return summary.path("chains").findValues("decisions").stream()
                .mapToLong(JsonNode::asLong)
                .sum();
    }

    /** Returns the sum of what the ConfigMap has about a namespace. */
    private static long stored(ControlPlane plane, String namespace) throws IOException {
        JsonNode document = JSON.readTree(plane.client()
                .configMaps()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook-summary")
                .get()
                .getData()
                .get("decisions.json"));
        List<JsonNode> rows = document.path("rows").valueStream().toList();
        return document.path("counts")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .filter(count -> rows.get(count.get(0).asInt()).get(0).asText().equals(namespace))
                .flatMap(count -> count.valueStream().skip(1))
                .mapToLong(JsonNode::asLong)
                .sum();
    }
}
