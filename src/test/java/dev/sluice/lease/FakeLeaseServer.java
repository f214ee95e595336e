package dev.sluice.lease;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An API server that keeps one Lease, with the locking of the real one, and fails as told. Other objects never change.
 * Safe for any thread.
 */
public final class FakeLeaseServer {

    /** How a request is answered other than it should; requests of a method take them in turn. */
    enum Fault {
        NONE,
        UNAVAILABLE,
        FORBIDDEN,
        TOO_MANY_REQUESTS,
        /** The answer comes after {@link #SLOW_MILLIS}. */
        SLOW,
        NO_JSON,
        /** No answer ever comes. */
        SILENT,
        /** What was asked is done, but nobody hears of it. */
        ANSWER_LOST,
        /** Somebody else writes just before. */
        OUTRUN,
        /** The namespace is missing. */
        NO_NAMESPACE
    }

    static final long SLOW_MILLIS = 600;

    private static final String COLLECTION = "/apis/coordination.k8s.io/v1/namespaces/gateways/leases";
    private static final String ONE = COLLECTION + "/gpu-webhook";

    private final Vertx vertx;
    private final HttpServer server;
    private final Deque<Fault> readFaults = new ArrayDeque<>();
    private final Deque<Fault> writeFaults = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    /** Lists of other objects by path. */
    private final Map<String, JsonObject> lists = new HashMap<>();

    private Runnable underway = () -> {};
    private @Nullable JsonObject lease;
    private CompletableFuture<Void> startedOnce = new CompletableFuture<>();
    private long version = 100;

    public FakeLeaseServer(Vertx vertx) throws Exception {
        this.vertx = vertx;
        server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> serve(request, body.toString())))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    public KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.actualPort() + "/")
                        .withNamespace("gateways")
                        .withHttp2Disable(true)
                        .build())
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
    }

    /** Lists these objects at this path. A watch of them begins, and tells nothing. */
    public synchronized void list(String path, String list) {
        lists.put(path, new JsonObject(list));
    }

    public void stop() throws Exception {
        server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    synchronized void onNextReads(Fault... faults) {
        readFaults.addAll(List.of(faults));
    }

    synchronized void onNextWrites(Fault... faults) {
        writeFaults.addAll(List.of(faults));
    }

    /** Happens while each request is on its way there, and again while the answer is on its way back. */
    synchronized void whileUnderway(Runnable happening) {
        underway = happening;
    }

    synchronized void deleteLease() {
        lease = null;
    }

    /** Forgets that a replica has run, and returns a future that completes when one says so again. */
    synchronized CompletableFuture<Void> forgetMark() {
        startedOnce = new CompletableFuture<>();
        return startedOnce;
    }

    synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    /** Of the lease's spec; null where it has none. */
    public synchronized @Nullable Object told(String field) {
        return spec().getValue(field);
    }

    private JsonObject spec() {
        if (lease == null) {
            throw new AssertionError("there is no lease");
        }
        return lease.getJsonObject("spec");
    }

    /** As another client would. */
    synchronized void rewrite(String field, @Nullable Object value) {
        spec().put(field, value);
        version();
    }

    /** The same, beside the spec. */
    public synchronized void annotate(String key, String value) {
        if (lease != null) {
            lease.getJsonObject("metadata").put("annotations", new JsonObject().put(key, value));
        }
        version();
    }

    /** The same, and the other annotations stay. */
    synchronized void annotateAlso(String key, String value) {
        if (lease != null) {
            lease.getJsonObject("metadata").getJsonObject("annotations").put(key, value);
        }
        version();
    }

    synchronized Map<String, Object> annotations() {
        return lease == null
                ? Map.of()
                : lease.getJsonObject("metadata").getJsonObject("annotations").getMap();
    }

    private void version() {
        version++;
        if (lease != null) {
            lease.getJsonObject("metadata").put("resourceVersion", Long.toString(version));
        }
    }

    private synchronized void serve(HttpServerRequest request, String body) {
        String method = request.method().name();
        if (request.params().contains("watch") && lists.containsKey(request.path())) {
            var _ = request.response().setChunked(true).writeHead();
            return;
        }
        asked.add(method);
        underway.run();
        boolean reads = method.equals("GET");
        Fault fault = (reads ? readFaults : writeFaults).poll();
        switch (fault == null ? Fault.NONE : fault) {
            case NONE -> answer(request, perform(request, body));
            case UNAVAILABLE -> answer(request, status(503, "ServiceUnavailable"));
            case FORBIDDEN -> answer(request, status(403, "Forbidden"));
            case TOO_MANY_REQUESTS -> answer(request, status(429, "TooManyRequests"));
            case SLOW -> {
                JsonObject done = perform(request, body);
                vertx.setTimer(SLOW_MILLIS, _ -> answer(request, done));
            }
            case NO_JSON -> {
                var _ = request.response().end("<html>a proxy</html>");
            }
            case SILENT -> {}
            case ANSWER_LOST -> {
                var _ = perform(request, body);
                var _ = request.connection().close();
            }
            case NO_NAMESPACE -> answer(request, status(404, "NotFound"));
            case OUTRUN -> {
                rewrite("holderIdentity", "faster");
                answer(request, perform(request, body));
            }
        }
    }

    private void answer(HttpServerRequest request, JsonObject object) {
        underway.run();
        var _ = request.response()
                .setStatusCode(object.getInteger("code", 200))
                .putHeader("Content-Type", "application/json")
                .end(object.toBuffer());
    }

    private JsonObject perform(HttpServerRequest request, String body) {
        return switch (request.method().name() + " " + request.path()) {
            case "GET " + ONE -> lease == null ? status(404, "NotFound") : lease;
            case "POST " + COLLECTION -> post(new JsonObject(body));
            case "PUT " + ONE -> update(new JsonObject(body));
            default -> lists.getOrDefault(request.path(), status(404, "NotFound"));
        };
    }

    private JsonObject post(JsonObject sent) {
        if (sent.getJsonObject("metadata").getString("name").equals(LeaseClient.STARTED_ONCE)) {
            return startedOnce.complete(null)
                    ? sent
                    : status(409, "AlreadyExists")
                            .put("details", new JsonObject().put("name", LeaseClient.STARTED_ONCE));
        }
        return lease == null ? create(sent) : status(409, "AlreadyExists");
    }

    private JsonObject create(JsonObject created) {
        created.getJsonObject("metadata").put("uid", UUID.randomUUID().toString());
        lease = created;
        version();
        return created;
    }

    /** A uid is a precondition; without one the real server would even make a lease anew that is gone. */
    private JsonObject update(JsonObject updated) {
        JsonObject sent = updated.getJsonObject("metadata");
        if (lease == null) {
            return sent.containsKey("uid") ? status(409, "Conflict") : create(updated);
        }
        JsonObject kept = lease.getJsonObject("metadata");
        if (!sent.containsKey("resourceVersion")) {
            return status(422, "Invalid");
        }
        if (updated.getJsonObject("spec").getInteger("leaseTransitions") < 0) {
            return status(422, "Invalid");
        }
        if (!sent.getString("resourceVersion").equals(kept.getString("resourceVersion"))) {
            return status(409, "Conflict");
        }
        lease = updated;
        version();
        return updated;
    }

    private static JsonObject status(int code, String reason) {
        return new JsonObject()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("message", "the message of " + code)
                .put("reason", reason)
                .put("code", code);
    }
}
