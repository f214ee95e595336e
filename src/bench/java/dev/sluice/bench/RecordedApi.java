package dev.sluice.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.bench.RecordedState.Change;
import dev.sluice.bench.RecordedState.ChangeType;
import dev.sluice.bench.RecordedState.Moment;
import dev.sluice.bench.RecordedState.Phase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;

/**
 * An API server that plays a {@link Recording}: it lists the nodes and pods of its beginning in pages, then its watches
 * tell every change as fast as they are read. After {@code /forget} they end with 410, and the lists are of its end. It
 * is a process of its own, so that what it takes is not counted.
 */
final class RecordedApi {

    private static final int PIECE = 64 * 1024;

    private final Recording recording;
    private final RecordedObjects objects;
    private final Playback playback;
    /** The number of a change that is not told, to see that this is noticed; −1 for none. */
    private final int lost;

    /** The arguments: nodes, pods, changes, and the first deletion of a pod that may be lost, −1 for none. */
    private RecordedApi(String... args) {
        objects = new RecordedObjects();
        int changes = Integer.parseInt(args[2]);
        recording = new Recording(Integer.parseInt(args[0]), Integer.parseInt(args[1]), changes, objects);
        playback = new Playback(changes);
        lost = deletionFrom(Integer.parseInt(args[3]));
    }

    private int deletionFrom(int wanted) {
        for (int at = Math.max(0, wanted); wanted >= 0 && at < recording.changes(); at++) {
            if (recording.change(at) instanceof Change.OfPod(ChangeType type, var _) && type == ChangeType.DELETED) {
                return at;
            }
        }
        return -1;
    }

    /** Prints its address, and ends with its standard input. */
    public static void main(String[] args) throws IOException {
        RecordedApi api = new RecordedApi(args);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/api/v1/nodes", exchange -> api.answer(exchange, Playback.Kind.NODE));
        server.createContext("/api/v1/pods", exchange -> api.answer(exchange, Playback.Kind.POD));
        server.createContext("/recount", exchange -> send(exchange, Recount.of(api.recording, api.objects)));
        server.createContext("/forget", exchange -> {
            api.playback.forget();
            send(exchange, new byte[] {'\n'});
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
        while (System.in.read() >= 0) {
            // The other process still lives.
        }
        System.exit(0);
    }

    private void answer(HttpExchange exchange, Playback.Kind kind) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        if (query.contains("watch=true")) {
            watch(exchange, kind, number(query, "resourceVersion") - Recording.LISTED, number(query, "timeoutSeconds"));
        } else if (query.endsWith("limit=1")) {
            // A read of the version only.
            send(exchange, page(kind, "", new byte[0]));
        } else if (playback.isPlaying(kind)) {
            System.err.println("the " + kind + "s were listed again while their changes were told");
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        } else {
            list(exchange, kind, (int) number(query, "continue"), (int) number(query, "limit"));
        }
    }

    /** 0 for what is not in the query. */
    private static long number(String query, String name) {
        for (String part : query.split("&", -1)) {
            if (part.startsWith(name + "=")) {
                return Long.parseLong(part.substring(name.length() + 1));
            }
        }
        return 0;
    }

    private void list(HttpExchange exchange, Playback.Kind kind, int from, int limit) throws IOException {
        Moment moment = playback.isForgotten() ? recording.last() : recording.first();
        int end = kind == Playback.Kind.NODE ? recording.nodes() : moment.pods();
        ByteArrayOutputStream items = new ByteArrayOutputStream();
        int written = 0;
        int next = from;
        for (; written < limit && next < end; next++) {
            if (isThere(kind, moment, next)) {
                if (written++ > 0) {
                    items.write(',');
                }
                write(items, kind, moment, next);
            }
        }
        send(exchange, page(kind, next < end ? Integer.toString(next) : "", items.toByteArray()));
    }

    private static boolean isThere(Playback.Kind kind, Moment moment, int number) {
        return switch (kind) {
            case NODE -> !moment.node(number).has(RecordedState.NodeState.DELETED);
            case POD -> moment.pod(number).phase() != Phase.GONE;
        };
    }

    private void write(ByteArrayOutputStream out, Playback.Kind kind, Moment moment, int number) {
        switch (kind) {
            case NODE -> objects.write(out, moment.node(number));
            case POD -> objects.write(out, moment.pod(number));
        }
    }

    private byte[] page(Playback.Kind kind, String next, byte[] items) {
        ByteArrayOutputStream page = new ByteArrayOutputStream(items.length + 256);
        page.writeBytes(bytes(
                "{\"kind\":\"%sList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%d\",\"continue\":\"%s\"},\"items\":["
                        .formatted(kind.word(), Recording.LISTED + playback.newest(), next)));
        page.writeBytes(items);
        page.writeBytes(bytes("]}"));
        return page.toByteArray();
    }

    /** Ends after so many seconds, with a bookmark, as the watches of a real API server do. */
    private void watch(HttpExchange exchange, Playback.Kind kind, long from, long seconds) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        int at = (int) from;
        ByteArrayOutputStream piece = new ByteArrayOutputStream(2 * PIECE);
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            int until = playback.await(kind, at, deadline);
            while (until > at) {
                for (; at < until && piece.size() < PIECE; at++) {
                    tell(piece, kind, at);
                }
                if (at == recording.changes()) {
                    bookmark(piece, kind, at);
                }
                piece.writeTo(out);
                out.flush();
                piece.reset();
                playback.told(kind, at);
                until = playback.await(kind, at, deadline);
            }
            if (playback.isExpired(at)) {
                piece.writeBytes(bytes("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                        + "\"status\":\"Failure\",\"message\":\"forgotten\",\"reason\":\"Expired\",\"code\":410}}\n"));
            } else {
                bookmark(piece, kind, at);
            }
            piece.writeTo(out);
        }
    }

    private void tell(ByteArrayOutputStream out, Playback.Kind kind, int number) {
        Change change = recording.change(number);
        boolean wanted =
                number != lost && kind == (change instanceof Change.OfNode ? Playback.Kind.NODE : Playback.Kind.POD);
        if (!wanted) {
            return;
        }
        out.writeBytes(bytes("{\"type\":\"" + change.type() + "\",\"object\":"));
        switch (change) {
            case Change.OfNode(var _, var node) -> objects.write(out, node);
            case Change.OfPod(var _, var pod) -> objects.write(out, pod);
        }
        out.writeBytes(bytes("}\n"));
    }

    private static void bookmark(ByteArrayOutputStream out, Playback.Kind kind, int at) {
        out.writeBytes(bytes(
                "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%d\"}}}\n"
                        .formatted(kind.word(), Recording.LISTED + at)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-ChangeType", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
