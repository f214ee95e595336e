package dev.sluice.kube.watch;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An API server that knows objects of one kind: it pages lists, serves watches from a history, and forgets, lies and
 * dies as told. Of other kinds it has none and nothing ever happens to them. Its state lives on one event loop, which
 * every method of the test enters by {@link #run}.
 */
final class FakeApiServer {

    /** How the server answers one request other than as it should; requests take them in turn. */
    enum Fault {
        NONE,
        GONE,
        GONE_AS_EVENT,
        SILENT,
        HANG_UP,
        CUT_SHORT,
        UNAVAILABLE,
        FORBIDDEN,
        UNAUTHORIZED,
        /** The connection stays open, and no answer comes. */
        NO_ANSWER,
        /** The answer is complete after {@link #SLOW_MILLIS}. */
        SLOW,
        NO_JSON
    }

    /** The objects that the server knows. */
    enum Kind {
        NODE,
        POD;

        private String path() {
            return "/api/v1/" + name().toLowerCase(Locale.ROOT) + "s";
        }
    }

    /** Continue tokens may hold anything. */
    private static final String TOKEN = "a/b+c=&ü:";

    private static final int PAGE = 2;

    static final int SLOW_MILLIS = 400;

    private static final String NOT_ENDED = "status.phase!=Succeeded,status.phase!=Failed";

    private static final String WATCH_ENDED = "end of a watch";

    private record Change(long version, String event) {}

    private record Listed(long version, List<String> objects) {}

    /**
     * What was asked of the server, in order: {@code list}, {@code next page}, {@code watch}, {@code end of a watch},
     * {@code read} of nothing but the version.
     */
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();

    private final Kind kind;
    private @Nullable FakeApiServer beside;
    private final Context loop;
    private final HttpServer server;
    private final int port;
    private final Map<String, String> nodes = new TreeMap<>();
    private final List<Change> history = new ArrayList<>();
    private final List<Listed> begunLists = new ArrayList<>();
    private final List<HttpServerResponse> watches = new ArrayList<>();
    private final Deque<Fault> listFaults = new ArrayDeque<>();
    private final Deque<Fault> pageFaults = new ArrayDeque<>();
    private final Deque<Fault> readFaults = new ArrayDeque<>();
    private final Deque<Fault> watchFaults = new ArrayDeque<>();
    private @Nullable Runnable afterList;
    private Runnable whileUnderway = () -> {};
    private long version = 100;
    private volatile long lastWatchedFrom;

    FakeApiServer(Vertx vertx, Kind kind) throws Exception {
        this.kind = kind;
        loop = vertx.getOrCreateContext();
        server = vertx.createHttpServer().requestHandler(this::serve);
        CompletableFuture<Integer> listening = new CompletableFuture<>();
        loop.runOnContext(_ -> server.listen(0, "127.0.0.1")
                .onSuccess(up -> listening.complete(up.actualPort()))
                .onFailure(listening::completeExceptionally));
        port = listening.get(10, TimeUnit.SECONDS);
    }

    private FakeApiServer(FakeApiServer first, Kind kind) {
        this.kind = kind;
        loop = first.loop;
        server = first.server;
        port = first.port;
    }

    /** Returns a server of another kind, which answers at the same address. */
    FakeApiServer beside(Kind other) {
        FakeApiServer added = new FakeApiServer(this, other);
        beside = added;
        return added;
    }

    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** Whoever calls this closes the client. */
    KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl(url())
                        .withHttp2Disable(true)
                        .build())
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
    }

    /** Runs on the server's loop, where the methods below may be called, and returns when it is done. */
    void run(Runnable change) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.runOnContext(_ -> {
            try {
                change.run();
                done.complete(null);
            } catch (RuntimeException | AssertionError wrong) {
                done.completeExceptionally(wrong);
            }
        });
        done.get(10, TimeUnit.SECONDS);
    }

    void put(String name, String gpus) {
        version++;
        String type = nodes.containsKey(name) ? "MODIFIED" : "ADDED";
        nodes.put(name, object(name, gpus, version));
        tell(type, object(name, gpus, version));
    }

    void delete(String name) {
        version++;
        nodes.remove(name);
        tell("DELETED", object(name, "0", version));
    }

    private String object(String name, String gpus, long at) {
        return switch (kind) {
            case NODE -> node(name, gpus, at);
            case POD -> pod(name, gpus, at);
        };
    }

    /** A pod's containers come to their end. */
    void finish(String name) {
        version++;
        nodes.remove(name);
        tell("MODIFIED", object(name, "1", version).replace("Running", "Succeeded"));
    }

    /** Something other than the objects of this server changes. */
    void changeElsewhere() {
        version++;
    }

    private void tell(String type, String object) {
        Change change = new Change(version, event(type, object));
        history.add(change);
        send(change.event());
    }

    static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    }

    /** The annotation is what broke fabric8's watches: characters of several bytes, cut by the network. */
    static String node(String name, String gpus, long version) {
        return """
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"%s","resourceVersion":"%d",
                "labels":{"kubernetes.io/hostname":"%s","gpu.product":"Größe-大-😀"},
                "annotations":{"note":"größer 大 😀 { ] \\" "}},
                "spec":{"taints":[{"key":"nvidia.com/gpu","value":null,"effect":"NoSchedule"}]},
                "status":{"capacity":{"nvidia.com/gpu":"%s"},"allocatable":{"cpu":"3500m","nvidia.com/gpu":"%s"},
                "images":[{"names":["a","b"],"sizeBytes":123456789}]}}""".formatted(name, version, name, gpus, gpus).replace("\n", "");
    }

    /** Its uid is its name, it bears a stamp, and it is bound to {@code n1}. */
    static String pod(String name, String gpus, long version) {
        return """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"team","uid":"%s",
                "resourceVersion":"%d","annotations":{"gpu-webhook.k8s.io/decision":"of-%s"}},"spec":{"nodeName":"n1","containers":[{"name":"c","resources":
                {"limits":{"nvidia.com/gpu":"%s"},"requests":{"nvidia.com/gpu":"%s"}}}]},
                "status":{"phase":"Running"}}""".formatted(name, name, version, name, gpus, gpus).replace("\n", "");
    }

    void bookmark(long at) {
        send(event("BOOKMARK", "{\"kind\":\"Any\",\"metadata\":{\"resourceVersion\":\"" + at + "\"},\"spec\":{}}"));
    }

    /** Byte by byte, each in an HTTP chunk of its own. */
    void send(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (HttpServerResponse watch : watches) {
            for (byte one : bytes) {
                var _ = watch.write(Buffer.buffer(new byte[] {one}));
            }
        }
    }

    /** Some events of the past are sent once more, in any order. */
    void repeatEvents(RandomGenerator random) {
        for (int i = random.nextInt(5); i >= 0 && !history.isEmpty(); i--) {
            send(history.get(random.nextInt(history.size())).event());
        }
    }

    /** The server ends its watches in order, as it does every few minutes. */
    void endWatches() {
        watches.forEach(watch -> {
            var _ = watch.end();
        });
        watches.clear();
    }

    /** From now on each watch lasts so long, and has a bookmark before it ends. */
    void work(int watchMillis) {
        loop.owner().setPeriodic(watchMillis, _ -> {
            bookmark(version);
            endWatches();
        });
    }

    void breakConnections() {
        List<HttpServerResponse> open = List.copyOf(watches);
        watches.clear();
        open.forEach(HttpServerResponse::reset);
    }

    void onNextLists(Fault... faults) {
        listFaults.addAll(List.of(faults));
    }

    void onNextPages(Fault... faults) {
        pageFaults.addAll(List.of(faults));
    }

    void onNextReads(Fault... faults) {
        readFaults.addAll(List.of(faults));
    }

    void onNextWatches(Fault... faults) {
        watchFaults.addAll(List.of(faults));
    }

    /** Something happens after the last page was sent and before the watch begins. */
    void afterNextList(Runnable happening) {
        afterList = happening;
    }

    /** Something happens while each page of a list, and each read of the version, is on its way. */
    void whileUnderway(Runnable happening) {
        whileUnderway = happening;
    }

    /** The version that was given out last. */
    long version() {
        return version;
    }

    /** Objects of other kinds change, of which no watch of this kind hears. */
    void changeOthers(long changes) {
        version += changes;
    }

    /** As after a restore from a backup: the past is another one. */
    void goBackTo(long earlier) {
        version = earlier;
        history.clear();
        nodes.replaceAll((name, _) -> object(name, "1", earlier));
    }

    /** The GPUs of each node, as they are now. */
    Map<String, Long> gpus() throws Exception {
        Map<String, Long> truth = new TreeMap<>();
        run(() -> truth.putAll(nodes()));
        return truth;
    }

    /** The same; on the loop of the server. */
    Map<String, Long> nodes() {
        Map<String, Long> truth = new TreeMap<>();
        nodes.forEach((name, node) -> {
            String gpus = node.substring(node.indexOf("gpu\":\"") + 6);
            truth.put(name, Long.parseLong(gpus.substring(0, gpus.indexOf('"'))));
        });
        return truth;
    }

    long lastWatchedFrom() {
        return lastWatchedFrom;
    }

    /** The next request of this kind, waited for; others are passed over. */
    void awaitAsked(String what) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        String next;
        do {
            next = asked.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new AssertionError("the server saw no " + what);
            }
        } while (!next.equals(what));
    }

    long timesAsked(String what) {
        return asked.stream().filter(what::equals).count();
    }

    private void serve(HttpServerRequest request) {
        if (beside != null && beside.kind.path().equals(request.path())) {
            beside.serve(request);
        } else if (!kind.path().equals(request.path())) {
            serveNothing(request);
        } else if (kind == Kind.POD && !Objects.equals(request.getParam("fieldSelector"), NOT_ENDED)) {
            refuse(request.response(), 400, "BadRequest");
        } else if (request.getParam("watch") != null) {
            answer(request, "watch", watchFaults, () -> watch(request));
        } else {
            whileUnderway.run();
            serveList(request);
        }
    }

    private void serveList(HttpServerRequest request) {
        if (Objects.equals(request.getParam("limit"), "1")) {
            answer(request, "read", readFaults, () -> page(request));
        } else if (request.getParam("continue") != null) {
            answer(request, "next page", pageFaults, () -> page(request));
        } else {
            answer(request, "list", listFaults, () -> page(request));
        }
    }

    private static void serveNothing(HttpServerRequest request) {
        if (request.getParam("watch") != null) {
            var _ = request.response().setChunked(true).writeHead();
        } else {
            var _ = request.response().end("{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}");
        }
    }

    private void answer(HttpServerRequest request, String what, Deque<Fault> faults, Runnable well) {
        HttpServerResponse response = request.response();
        Fault fault = faults.isEmpty() ? Fault.NONE : faults.pop();
        switch (fault) {
            case NONE -> well.run();
            case GONE -> refuse(response, 410, "Expired");
            case UNAVAILABLE -> refuse(response, 503, "ServiceUnavailable");
            case FORBIDDEN -> refuse(response, 403, "Forbidden");
            case UNAUTHORIZED -> refuse(response, 401, "Unauthorized");
            case NO_ANSWER -> {}
            case SLOW -> loop.owner().setTimer(SLOW_MILLIS, _ -> well.run());
            case GONE_AS_EVENT -> response.end(event("ERROR", status(410, "Expired")));
            case SILENT ->
                response.closeHandler(_ -> asked.add(WATCH_ENDED))
                        .setChunked(true)
                        .writeHead();
            case HANG_UP -> request.connection().close();
            case CUT_SHORT ->
                response.end("{\"kind\":\"NodeList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":["
                        + node("ghost", "8", 7) + ",{\"metadata\"");
            case NO_JSON -> response.end("<html>a proxy</html>");
        }
        asked.add(what);
    }

    void endFaults() {
        List.of(listFaults, pageFaults, readFaults, watchFaults).forEach(Deque::clear);
    }

    private static void refuse(HttpServerResponse response, int code, String reason) {
        var _ = response.setStatusCode(code).end(status(code, reason));
    }

    private static String status(int code, String reason) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"the message\","
                + "\"reason\":\"" + reason + "\",\"code\":" + code + "}";
    }

    /** All pages of a list are of the moment of its first page, as etcd's are. */
    private void page(HttpServerRequest request) {
        String token = request.getParam("continue");
        int from = 0;
        Listed listed = new Listed(version, List.copyOf(nodes.values()));
        if (token == null) {
            begunLists.add(listed);
        } else {
            String[] place = token.substring(TOKEN.length()).split(":", 2);
            listed = begunLists.get(Integer.parseInt(place[0]));
            from = Integer.parseInt(place[1]);
        }
        boolean paged = request.getParam("limit") != null;
        List<String> all = listed.objects();
        int to = paged ? Math.min(from + PAGE, all.size()) : all.size();
        String next = to < all.size() ? TOKEN + begunLists.indexOf(listed) + ":" + to : "";
        var _ = request.response()
                .end("{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
                        + listed.version()
                        + "\",\"continue\":\"" + next + "\"},\"items\":["
                        + String.join(",", all.subList(from, to)) + "]}");
        if (next.isEmpty() && afterList != null) {
            Runnable happening = afterList;
            afterList = null;
            happening.run();
        }
    }

    private void watch(HttpServerRequest request) {
        long since = Long.parseLong(request.getParam("resourceVersion"));
        lastWatchedFrom = since;
        HttpServerResponse response =
                request.response().closeHandler(_ -> asked.add(WATCH_ENDED)).setChunked(true);
        var _ = response.writeHead();
        watches.add(response);
        for (Change change : history) {
            if (change.version() > since) {
                var _ = response.write(change.event());
            }
        }
    }

    void close() throws Exception {
        server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
