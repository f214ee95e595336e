package dev.sluice.management;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.Ports;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The console as a gateway serves it, before an API whose answers a test writes. So a test can break the event stream,
 * and give objects names that no API server would accept.
 */
final class ScriptedGateway implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<String> MIG = List.of("nvidia.com/mig-1g.10gb", "nvidia.com/mig-2g.20gb");

    private static final String NODE = """
            {"node": "gpu-1", "labels": {}, "cordoned": false, "taints": [],
             "pods": [{"namespace": "research", "name": "train-there", "devices": {"nvidia.com/mig-1g.10gb": 2}}]}
            """;

    /** The number of newest decisions that a gateway keeps. */
    private static final int MOST_KEPT = 1_000;

    /** The token that is accepted, if tokens are asked for. */
    static final String TOKEN = "eyJhbGciOi.the-good-token";

    private final Vertx vertx = Vertx.vertx();
    private final int port = Ports.free();
    private final int nodes;
    private final boolean asksForToken;
    private final List<ObjectNode> decisions = new CopyOnWriteArrayList<>();
    private final List<HttpServerResponse> streams = new CopyOnWriteArrayList<>();
    private final List<String> lastIds = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final List<ObjectNode> elsewhere = new CopyOnWriteArrayList<>();
    private final List<String> sinces = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final Set<String> refusedPaths = new CopyOnWriteArraySet<>();
    /** This task runs when the first list of decisions has been answered; until then no stream begins. */
    private final List<Runnable> afterFirstList = new CopyOnWriteArrayList<>();

    private volatile boolean refusesStreams;
    private volatile boolean hasEnded;
    private volatile boolean decides = true;
    private volatile boolean podsKnown = true;
    private volatile String holders = file("holders.json");
    private final AtomicInteger fleetVersion = new AtomicInteger(1);

    ScriptedGateway(int nodes, boolean asksForToken) throws Exception {
        this.nodes = nodes;
        this.asksForToken = asksForToken;
        Router router = Router.router(vertx);
        ManagementConsolePages pages = new ManagementConsolePages(
                vertx,
                (context, body) -> {
                    var _ = context.response().end(body);
                },
                (context, status) -> {
                    var _ = context.response().setStatusCode(status).end();
                });
        router.routeWithRegex(ManagementConsolePages.ROUTE).handler(pages::answer);
        router.route("/api/v1/*").handler(this::count);
        router.get("/api/v1/fleet").handler(context -> answer(context, fleet()));
        router.get("/api/v1/fleet/nodes/:name").handler(context -> answer(context, NODE));
        router.get("/api/v1/events").handler(this::stream);
        router.get("/api/v1/decisions").handler(this::list);
        router.get("/api/v1/diagnosis").handler(context -> answer(context, file("diagnosis.json")));
        router.get("/api/v1/capacity/history").handler(context -> answer(context, file("history.json")));
        router.get("/api/v1/capacity/holders").handler(context -> answer(context, holders));
        router.get("/api/v1/flow").handler(context -> answer(context, flow()));
        router.get("/api/v1/replicas").handler(context -> answer(context, file("replicas.json")));
        router.get("/api/v1/bypassed")
                .handler(context -> answer(context, "{\"completeSince\": null, \"counts\": [], \"pods\": []}"));
        router.post("/api/v1/explain").handler(context -> answer(context, file("explained.json")));
        router.route("/api/v1/*").handler(context -> problem(context, 404, "path not found"));
        var _ = vertx.createHttpServer()
                .requestHandler(router)
                .listen(port, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    String url(String fragment) {
        return "http://127.0.0.1:" + port + "/console/#" + fragment;
    }

    int requests() {
        return requests.get();
    }

    int streams() {
        return streams.size();
    }

    /** Returns the header {@code Last-Event-ID} of each stream, in the order in which they began. */
    List<String> lastIds() {
        return List.copyOf(lastIds);
    }

    void refuseStreams(boolean refuses) {
        refusesStreams = refuses;
    }

    /** Answers 403 to all questions for this path from now on. */
    void refuse(String path) {
        refusedPaths.add(path);
    }

    /** Returns how often this path was asked for. */
    long questions(String path) {
        return paths.stream().filter(path::equals).count();
    }

    /** Ends the session, as the command does that serves the console on the loopback address. */
    void endSession() {
        hasEnded = true;
        breakStreams();
    }

    void holders(String json) {
        holders = json;
    }

    /** Returns the parameter {@code since} of each question for decisions, or an empty text. */
    List<String> sinces() {
        return List.copyOf(sinces);
    }

    /** Makes a decision at another replica, which is in no stream of this one. */
    void decideElsewhere(String namespace, String name) {
        elsewhere.add(decision(elsewhere.size() + 1, namespace, name).put("id", "o-" + (elsewhere.size() + 1)));
    }

    /** Tells all streams whether this replica decides. */
    void decides(boolean now) {
        decides = now;
        String event = replicaEvent();
        streams.forEach(response -> {
            var _ = response.write(event);
        });
    }

    private String replicaEvent() {
        return "event: replica\ndata: {\"replica\": \"gpu-webhook-1\", \"decides\": " + decides + "}\n\n";
    }

    /** Makes the next answers about the fleet those of a gateway that may not list pods. */
    void losePods() {
        podsKnown = false;
    }

    /** Makes a decision between the answer to the first question for decisions and the begin of the first stream. */
    void decideBeforeTheFirstStream(String namespace, String name) {
        afterFirstList.add(() -> decide(namespace, name));
    }

    /** Makes a decision, sends it to all streams, and ends them, so that the right is checked again. */
    void decideAndEnd(String namespace, String name) {
        decisions.add(decision(decisions.size() + 1, namespace, name));
        String last = event(decisions.size()) + "event: end\ndata: {}\n\n";
        streams.forEach(response -> {
            var _ = response.end(last);
        });
        streams.clear();
    }

    /** Breaks all connections of streams, as a network does. */
    void breakStreams() {
        streams.forEach(response -> {
            var _ = response.reset();
        });
        streams.clear();
    }

    /** Makes a decision, and sends it to all streams. */
    void decide(String namespace, String name) {
        ObjectNode decision = decision(decisions.size() + 1, namespace, name);
        decisions.add(decision);
        String event = event(decisions.size());
        streams.forEach(response -> {
            var _ = response.write(event);
        });
    }

    /** Makes decisions that streams are not sent, and tells them how many. */
    void leaveOut(int count, String namespace, String name) {
        for (int i = 1; i <= count; i++) {
            decisions.add(decision(decisions.size() + 1, namespace, name + "-" + i));
        }
        String event = "id: t-e" + decisions.size() + "\nevent: leftOut\ndata: {\"decisions\": " + count + "}\n\n";
        streams.forEach(response -> {
            var _ = response.write(event);
        });
    }

    /** Changes what the first node has in use, and tells it to all streams. */
    void use(int allocated) {
        int version = fleetVersion.incrementAndGet();
        String row = """
                {"version": "t-f%d", "from": "t-f%d", "time": "%s", "podsKnown": true, "unplaced": 0, "kinds": [], "gone": [], \
                "nodes": [{"node": "gpu-1", "kind": 0, "used": [%d, 0, 0, 0]}]}""".formatted(version, version - 1, Instant.now(), allocated);
        streams.forEach(response -> {
            var _ = response.write("event: fleet\ndata: " + row + "\n\n");
        });
    }

    private void count(RoutingContext context) {
        requests.incrementAndGet();
        paths.add(context.request().path());
        if (hasEnded) {
            problem(context, 401, "this browser was not admitted; run the command console again");
        } else if (refusedPaths.contains(context.request().path())) {
            problem(context, 403, "you may not read this");
        } else if (context.request().getParam("labels") != null) {
            problem(context, 403, "labels are refused");
        } else if (asksForToken && !Objects.equals(context.request().getHeader("Authorization"), "Bearer " + TOKEN)) {
            context.response().putHeader("WWW-Authenticate", "Bearer");
            problem(context, 401, "this gateway needs a bearer token in the header Authorization");
        } else {
            context.next();
        }
    }

    private static void answer(RoutingContext context, String json) {
        var _ = context.response().putHeader("Content-Type", "application/json").end(json);
    }

    private static void problem(RoutingContext context, int status, String detail) {
        var _ = context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/problem+json")
                .end("{\"title\": \"no\", \"status\": " + status + ", \"detail\": \"" + detail + "\"}");
    }

    private void stream(RoutingContext context) {
        if (refusesStreams) {
            problem(context, 503, "this replica serves 16 streams and no more");
            return;
        }
        String last = context.request().getHeader("Last-Event-ID");
        if (last == null && !afterFirstList.isEmpty()) {
            vertx.setTimer(10, _ -> stream(context));
            return;
        }
        lastIds.add(last == null ? "" : last);
        HttpServerResponse response = context.response()
                .putHeader("Content-Type", "text/event-stream")
                .setChunked(true);
        response.closeHandler(_ -> streams.remove(response));
        int seen = last == null ? decisions.size() : Integer.parseInt(last.substring("t-e".length()));
        StringBuilder text = new StringBuilder();
        if (seen < decisions.size() - MOST_KEPT) {
            seen = decisions.size() - MOST_KEPT;
            text.append("event: reset\ndata: {}\n\n");
        }
        text.append("id: t-e" + seen + "\n\n" + replicaEvent());
        for (int number = seen + 1; number <= decisions.size(); number++) {
            text.append(event(number));
        }
        var _ = response.write(text.toString());
        streams.add(response);
    }

    private String event(int number) {
        return "id: t-e" + number + "\nevent: decision\ndata: " + decisions.get(number - 1) + "\n\n";
    }

    private void list(RoutingContext context) {
        String uid = context.request().getParam("uid");
        String verdict = context.request().getParam("verdict");
        sinces.add(Objects.requireNonNullElse(context.request().getParam("since"), ""));
        ObjectNode page = JSON.createObjectNode().put("total", decisions.size()).put("leftOut", 0);
        page.putArray("missing");
        ArrayNode found = page.putArray("decisions");
        List<ObjectNode> newest = new ArrayList<>(decisions);
        newest.addAll(elsewhere);
        newest.sort(Comparator.comparing(ScriptedGateway::time).reversed());
        newest.stream()
                .filter(decision -> uid == null || decision.path("uid").asText().equals(uid))
                .filter(decision ->
                        verdict == null || decision.path("decision").asText().equals(verdict))
                .limit(MOST_KEPT)
                .forEach(found::add);
        answer(context, page.toString());
        afterFirstList.forEach(Runnable::run);
        afterFirstList.clear();
    }

    private static Instant time(ObjectNode decision) {
        return Instant.parse(decision.path("time").asText());
    }

    /** The counts of the last hour. */
    private static String flow() {
        ObjectNode flow = (ObjectNode) tree(file("flow.json"));
        return flow.put("since", Instant.now().minus(Duration.ofHours(1)).toString())
                .toString();
    }

    private static ObjectNode decision(int number, String namespace, String name) {
        boolean denied = number % 3 == 0;
        ObjectNode decision = (ObjectNode) tree(file("decision.json"));
        decision.put("id", "t-" + number)
                .put("time", Instant.now().toString())
                .put("uid", "review-" + number)
                .put("namespace", namespace)
                .put("name", name)
                .put("decision", denied ? "denied" : "changed")
                .put("reason", "NotOffered");
        if (denied) {
            decision.put("message", "container main asks for " + MIG.getFirst() + ", which no node has");
            decision.putArray("changes");
        }
        return decision;
    }

    /** Returns an answer that a test resource has. */
    private static String file(String name) {
        try (InputStream in = ScriptedGateway.class.getResourceAsStream("console/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Nodes of two kinds, no two neighbours of which are alike. */
    private String fleet() {
        ObjectNode fleet = JSON.createObjectNode()
                .put("version", "t-f" + fleetVersion.get())
                .put("time", Instant.now().toString())
                .put("podsKnown", podsKnown)
                .put("unplaced", 1)
                .put("withoutDevices", 2);
        fleet.set("kinds", tree(file("kinds.json")));
        ArrayNode rows = fleet.putArray("nodes");
        for (int number = 1; number <= nodes; number++) {
            ObjectNode row = rows.addObject().put("node", "gpu-" + number).put("kind", number % 40 == 0 ? 1 : 0);
            row.putArray("used")
                    .add(number % 8)
                    .add(number % 2)
                    .add(number / 8 % 4)
                    .add(0);
        }
        return fleet.toString();
    }

    @Override
    public void close() {
        var _ = vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
