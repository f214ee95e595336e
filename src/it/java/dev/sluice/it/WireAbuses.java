package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What may come in by the webhook's port, without any credentials. */
final class WireAbuses implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MIB = 1 << 20;

    private final Siege siege;
    private final Held bodies = new Held(24);
    private final Held idle = new Held(400);

    WireAbuses(Siege siege) {
        this.siege = siege;
    }

    List<Abuse> all() {
        return List.of(
                new Abuse("unfinished bodies", this::unfinishedBody),
                new Abuse("slow bodies", this::slowBody),
                new Abuse("the largest bodies", random -> sent(review(filler(8 * MIB - 4096)))),
                new Abuse("wide pods", random -> sent(review(wide(10_000 + random.nextInt(30_000))))),
                new Abuse("many affinity values", random -> sent(review(affinity(random.nextInt(400_000))))),
                new Abuse("deep nesting", random -> sent(review("\"x\":" + "[".repeat(5_000)))),
                new Abuse("broken JSON", random -> sent(noise(random, "{\"kind\":\"AdmissionReview\""))),
                new Abuse("idle connections", this::idleConnections),
                new Abuse("half handshakes", this::halfHandshakes),
                new Abuse("clients that do not read", this::unread),
                new Abuse("endless heads", this::endlessHead),
                new Abuse("a stamp used again", this::stampAgain),
                new Abuse("hoarding", this::hoard));
    }

    private void unfinishedBody(RandomGenerator random) throws IOException {
        RawConnection connection = siege.connect();
        bodies.add(connection);
        connection.send(RawConnection.head("Content-Length: " + (1 + random.nextInt(8)) * MIB));
        connection.send(new byte[random.nextInt(MIB)]);
    }

    private void slowBody(RandomGenerator random) throws IOException {
        RawConnection connection = siege.connect();
        connection.send(RawConnection.head("Content-Length: 4096"));
        bodies.add(connection);
        bodies.each(held -> sendQuietly(held, " "));
    }

    private static void sendQuietly(RawConnection held, String text) {
        try {
            held.send(text);
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    private RawConnection.Answer answered(String body) throws IOException {
        try (RawConnection connection = siege.connect()) {
            connection.send(RawConnection.post(body.getBytes(UTF_8)));
            return connection.answer();
        }
    }

    private void sent(String body) throws IOException {
        var _ = answered(body);
    }

    private void idleConnections(RandomGenerator random) throws IOException {
        for (int count = random.nextInt(20); count > 0; count--) {
            idle.add(siege.connect());
        }
    }

    private void halfHandshakes(RandomGenerator random) throws IOException {
        RawConnection connection = Siege.plain(siege.webhookPort());
        idle.add(connection);
        byte[] garbage = new byte[random.nextInt(500)];
        random.nextBytes(garbage);
        // How a handshake begins, so that what follows is awaited.
        connection.send(new byte[] {0x16, 3, 1, 2, 0});
        connection.send(garbage);
    }

    private void unread(RandomGenerator random) throws IOException {
        RawConnection connection = siege.connect();
        bodies.add(connection);
        byte[] request = RawConnection.post(GoodReview.next().body());
        for (int count = random.nextInt(50); count > 0; count--) {
            connection.send(request);
        }
    }

    private void endlessHead(RandomGenerator random) throws IOException {
        RawConnection connection = siege.connect();
        idle.add(connection);
        connection.send("POST /mutate HTTP/1.1\r\nX-Endless: " + "a".repeat(random.nextInt(4_000)));
    }

    /** What was promised once is asked for again and again with what the answer gave. */
    private void stampAgain(RandomGenerator random) throws IOException {
        String asking = "\"containers\":[" + container("nvidia.com/gpu", 1) + "]";
        JsonNode patch =
                JSON.readTree(answered(review(asking)).body()).path("response").path("patch");
        if (patch.isMissingNode()) {
            return;
        }
        for (JsonNode operation : JSON.readTree(patch.binaryValue())) {
            String value = operation.findPath("gpu-webhook.k8s.io/decision").asText();
            for (int count = random.nextInt(20); count > 0 && !value.isEmpty(); count--) {
                var _ = answered(review(asking, "{\"gpu-webhook.k8s.io/decision\":\"" + value + "\"}"));
            }
        }
    }

    /** As pods that a quota refuses afterwards: decided, and never seen. */
    private void hoard(RandomGenerator random) throws IOException {
        for (int count = random.nextInt(25); count > 0; count--) {
            var _ = answered(review("\"containers\":[" + container("nvidia.com/gpu", 8) + "]"));
        }
    }

    private static String container(String device, int count) {
        String asked = "{\"" + device + "\":\"" + count + "\"}";
        return "{\"name\":\"c\",\"resources\":{\"limits\":" + asked + ",\"requests\":" + asked + "}}";
    }

    private static String filler(int bytes) {
        return "\"containers\":[],\"x\":\"" + "x".repeat(bytes) + "\"";
    }

    private static String wide(int containers) {
        return IntStream.range(0, containers)
                .mapToObj(number -> container("nvidia.com/mig-" + number, 1))
                .collect(Collectors.joining(",", "\"containers\":[", "]"));
    }

    static String affinity(int values) {
        return "\"containers\":[" + container("nvidia.com/gpu", 1)
                + "],\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":"
                + "{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"NotIn\",\"values\":["
                + "\"a\",".repeat(values) + "\"a\"]}]}]}}}";
    }

    private static String noise(RandomGenerator random, String begin) {
        byte[] bytes = new byte[random.nextInt(10_000)];
        random.nextBytes(bytes);
        return begin + new String(bytes, UTF_8);
    }

    private static String review(String spec) {
        return review(spec, "{}");
    }

    private static String review(String spec, String annotations) {
        return """
            {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"hostile",\
            "kind":{"group":"","version":"v1","kind":"Pod"},"namespace":"hostile","operation":"CREATE",\
            "object":{"metadata":{"annotations":%s},"spec":{%s}}}}""".formatted(annotations, spec);
    }

    /** Of all that is held open. */
    void letGo() {
        bodies.close();
        idle.close();
    }

    @Override
    public void close() {
        letGo();
    }
}
