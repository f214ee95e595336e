package dev.sluice.management;

import dev.sluice.api.ApiAnswer;
import dev.sluice.api.ApiEventEncoder;
import dev.sluice.record.RecentStreamEvents;
import dev.sluice.record.StreamEvent;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Serves the server-sent events of {@code /api/v1/events}. Only the event loop of the management port uses it. A client
 * that does not read takes only the bytes in its socket, until it is dropped.
 */
final class EventStream {

    /**
     * The maximum number of clients at a time. Each client may have 256 KiB unread. Further clients can use a proxy
     * that shares one stream.
     */
    static final int MOST_CLIENTS = 8;

    /**
     * The time between two heartbeats. The server closes connections that are idle for 90 s, and proxies often close
     * them after 30 s.
     */
    static final long HEARTBEAT_MILLIS = 15_000;

    private final RecentStreamEvents events = new RecentStreamEvents();
    private final ApiEventEncoder encoder;
    private final Context loop;
    private final LongConsumer missed;
    private final Set<EventClient> clients = new LinkedHashSet<>();

    /**
     * Creates the stream.
     *
     * @param missed receives the number of decisions that a dropped client has not received
     */
    EventStream(ApiEventEncoder encoder, Context loop, LongConsumer missed) {
        this.encoder = encoder;
        this.loop = loop;
        this.missed = missed;
    }

    void add(StreamEvent event) {
        events.add(event);
        for (EventClient client : List.copyOf(clients)) {
            client.pump();
            if (client.isBehind()) {
                drop(client);
            }
        }
    }

    /**
     * Begins a stream for the client. Returns a refusal if no stream can be given to the client. If all streams are in
     * use, a client whose address has at least two streams fewer than the address with the most streams gets the oldest
     * stream of that address.
     */
    Optional<ApiAnswer> open(HttpServerRequest request) {
        if (request.response().closed()) {
            // The client has closed the connection, so the stream would never be told of its end.
            return Optional.empty();
        }
        String address = request.remoteAddress().hostAddress();
        if (clients.size() >= MOST_CLIENTS) {
            greediest().filter(most -> count(most) >= count(address) + 2).ifPresent(this::dropOldestOf);
        }
        if (clients.size() >= MOST_CLIENTS) {
            return Optional.of(ApiAnswer.problem(
                            503, "Service Unavailable", "this replica serves " + MOST_CLIENTS + " streams and no more")
                    .retryAfter(5));
        }
        HttpServerResponse response = BrowserSafety.protect(request.response())
                .putHeader("Content-Type", "text/event-stream")
                .setChunked(true);
        EventClient client = new EventClient(address, response, events, encoder, loop);
        clients.add(client);
        response.closeHandler(_ -> clients.remove(client));
        client.begin(Optional.ofNullable(request.getHeader("Last-Event-ID")));
        return Optional.empty();
    }

    private Optional<String> greediest() {
        return clients.stream().map(EventClient::address).max(Comparator.comparingLong(this::count));
    }

    private long count(String address) {
        return clients.stream()
                .filter(client -> client.address().equals(address))
                .count();
    }

    private void dropOldestOf(String address) {
        clients.stream()
                .filter(client -> client.address().equals(address))
                .findFirst()
                .ifPresent(this::drop);
    }

    void heartbeat() {
        for (EventClient client : List.copyOf(clients)) {
            if (!client.heartbeat()) {
                drop(client);
            }
        }
    }

    private void drop(EventClient client) {
        clients.remove(client);
        missed.accept(client.missedDecisions());
        client.drop();
    }

    /** Ends all streams, so that their clients connect to another replica. */
    void end() {
        List.copyOf(clients).forEach(EventClient::end);
        clients.clear();
    }
}
