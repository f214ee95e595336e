package dev.sluice.management;

import dev.sluice.api.ApiEventEncoder;
import dev.sluice.api.DocumentResponse;
import dev.sluice.management.FleetApi.FleetReply;
import dev.sluice.management.StreamQuery.FleetWish;
import dev.sluice.record.RecordedStreamEvent;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * Serves the server-sent events of {@code /api/v1/events}. Only the event loop of the management port uses it. A client
 * that does not read uses only the memory of its socket buffer until it is disconnected.
 */
final class EventStream {

    /**
     * The maximum number of clients at a time. Each client may have 256 KiB unread. Further clients can use a proxy
     * that shares one stream.
     */
    static final int MOST_CLIENTS = 16;

    /**
     * The maximum number of clients that are tenants, which may read about one namespace only. The remaining streams
     * are reserved for other clients.
     */
    static final int MOST_TENANTS = 8;

    /** The maximum number of clients that are tenants of one namespace. */
    static final int MOST_OF_NAMESPACE = 2;

    /** The shortest time between two checks for changes of nodes, in milliseconds. */
    private static final long FLEET_MILLIS = 1_000;

    /**
     * The pause after a check for changes of nodes is this many times as long as the check. It limits the time that the
     * verticle with the ledger spends on the checks.
     */
    private static final int FLEET_REST = 100;

    /**
     * The longest pause between two checks for changes of nodes, in milliseconds. Without this limit, a check that took
     * long because of other work would cause a long pause, and clients would see outdated nodes.
     */
    private static final long FLEET_MOST_MILLIS = 10_000;

    /**
     * The time after a write during which new events are collected, in milliseconds. The collected events are then sent
     * to each client in one write, because a write costs as much as several events. A person does not notice the delay.
     */
    private static final long REST_MILLIS = 50;

    private static final long SECOND_MILLIS = 1_000;

    /**
     * The time between two heartbeats. The server closes connections that are idle for 90 s, and proxies often close
     * them after 30 s.
     */
    static final long HEARTBEAT_MILLIS = 15_000;

    /**
     * After this number of heartbeats, which is a minute, the stream of a tenant ends. A tenant may read about one
     * namespace only. The client must then connect again, so its right is checked again.
     */
    private static final int MOST_BEATS_OF_TENANT = 4;

    /**
     * After this number of heartbeats, which is five minutes, the stream of a client that may read about all namespaces
     * ends, so that its right is checked again. The stream does not end if clients need no right.
     */
    private static final int MOST_BEATS = 20;

    private final RecentRecordedEvents events = new RecentRecordedEvents();
    private final EncodedStreamEvents encoded;
    private final Context loop;
    private final LongConsumer missed;
    private final FleetSource fleets;
    private final boolean checksRights;
    private final Set<EventStreamClient> clients = new LinkedHashSet<>();
    private EventStreamReplica deciding;
    /** True while checks for changes of nodes are scheduled, because clients want these changes. */
    private boolean looking;
    /**
     * True while a timer runs every second, because at least one client wants a limited number of decisions a second.
     */
    private boolean counting;
    /**
     * True while a timer runs after a write. New events are collected until the timer fires, or until there are
     * {@link EventStreamClient#MOST_AT_ONCE} of them.
     */
    private boolean resting;
    /** The number of events that were added since the last write to the clients. */
    private int unsent;

    /**
     * Provides the changes of the list of GPU nodes. For each of the older {@code versions}, the reply contains the
     * event that updates a client from it to the newest version.
     */
    interface FleetSource {
        Future<FleetReply> since(List<String> labels, Set<String> versions);
    }

    /**
     * Creates the stream.
     *
     * @param missed a callback for a disconnected client; its argument is the number of decisions that the client has
     *     not received
     * @param deciding the replica that decides, as far as it is known
     * @param fleets the source of the changes of nodes
     * @param checksRights true if clients need a right, which may be revoked while they are connected
     */
    EventStream(
            ApiEventEncoder encoder,
            Context loop,
            LongConsumer missed,
            EventStreamReplica deciding,
            FleetSource fleets,
            boolean checksRights) {
        this.checksRights = checksRights;
        this.deciding = deciding;
        this.fleets = fleets;
        this.encoded = new EncodedStreamEvents(encoder);
        this.loop = loop;
        this.missed = missed;
    }

    /**
     * Adds a batch of events. They are sent at once, or within {@link #REST_MILLIS} if other events were sent shortly
     * before. Clients that are too far behind are disconnected.
     */
    void add(List<? extends RecordedStreamEvent> happened) {
        for (int begin = 0; begin < happened.size(); begin += EventStreamClient.MOST_AT_ONCE) {
            List<? extends RecordedStreamEvent> part =
                    happened.subList(begin, Math.min(begin + EventStreamClient.MOST_AT_ONCE, happened.size()));
            part.forEach(events::add);
            unsent += part.size();
            if (!resting || unsent >= EventStreamClient.MOST_AT_ONCE) {
                sendToAll();
            }
            List.copyOf(clients).stream().filter(EventStreamClient::isBehind).forEach(this::drop);
        }
    }

    /**
     * Sends each client as many events as it can receive now. Events that are added afterwards are collected for up to
     * {@link #REST_MILLIS}.
     */
    private void sendToAll() {
        unsent = 0;
        List.copyOf(clients).forEach(EventStreamClient::pump);
        if (!resting && !clients.isEmpty()) {
            resting = true;
            loop.owner().setTimer(REST_MILLIS, _ -> {
                resting = false;
                sendWaiting();
            });
        }
    }

    /** Sends the events that were added since the last write, if there are any. */
    private void sendWaiting() {
        if (unsent > 0) {
            sendToAll();
        }
    }

    /** Changes what is known about the replica that decides, and reports it to the clients if anything is different. */
    void deciding(UnaryOperator<EventStreamReplica> change) {
        EventStreamReplica newest = change.apply(deciding);
        if (!newest.equals(deciding)) {
            deciding = newest;
            sendWaiting();
            List.copyOf(clients).forEach(client -> client.deciding(newest));
        }
    }

    /**
     * Begins a stream for the client. Returns a refusal if the client gets no stream, and empty otherwise. If all
     * streams are in use, a client that may read about all namespaces may replace the oldest stream of another IP
     * address. That address must have the most streams, and at least two more than the address of the client.
     */
    Optional<DocumentResponse> open(HttpServerRequest request, StreamQuery query) {
        if (request.response().closed()) {
            // The client has already closed the connection, so the close handler would never be called.
            return Optional.empty();
        }
        String address = request.remoteAddress().hostAddress();
        if (!query.isOfTenant() && clients.size() >= MOST_CLIENTS) {
            greediest().filter(most -> count(most) >= count(address) + 2).ifPresent(this::dropOldestOf);
        }
        if (clients.size() >= MOST_CLIENTS || (query.isOfTenant() && isFullFor(query))) {
            return Optional.of(DocumentResponse.problem(
                            503,
                            "Service Unavailable",
                            "this replica serves no more streams" + (query.isOfTenant() ? " to tenants" : ""))
                    .retryAfter(5));
        }
        HttpServerResponse response = ManagementBrowserSafety.protect(request.response())
                .putHeader("Content-Type", "text/event-stream")
                .setChunked(true);
        EventStreamClient client = new EventStreamClient(address, query, response, events, encoded, loop);
        clients.add(client);
        response.closeHandler(_ -> clients.remove(client));
        client.deciding(deciding);
        client.begin(Optional.ofNullable(request.getHeader("Last-Event-ID")));
        if (!looking && query.fleet().isPresent()) {
            looking = true;
            look();
        }
        if (!counting && query.perSecond().isPresent()) {
            counting = true;
            countSeconds();
        }
        return Optional.empty();
    }

    /**
     * Begins a new second for the rate limit of each client, once a second. Continues while at least one client has
     * chosen a limit.
     */
    private void countSeconds() {
        loop.owner().setTimer(SECOND_MILLIS, _ -> {
            counting = clients.stream()
                    .anyMatch(client -> client.query().perSecond().isPresent());
            List.copyOf(clients).forEach(EventStreamClient::nextSecond);
            if (counting) {
                countSeconds();
            }
        });
    }

    private boolean isFullFor(StreamQuery query) {
        List<StreamQuery> tenants = clients.stream()
                .map(EventStreamClient::query)
                .filter(StreamQuery::isOfTenant)
                .toList();
        return tenants.size() >= MOST_TENANTS
                || tenants.stream()
                                .filter(other -> other.namespace().equals(query.namespace()))
                                .count()
                        >= MOST_OF_NAMESPACE;
    }

    /**
     * Sends the changes of nodes to the clients that want them, and schedules the next check while there are such
     * clients.
     */
    private void look() {
        if (clients.stream().noneMatch(client -> client.query().fleet().isPresent())) {
            looking = false;
            return;
        }
        long begin = System.nanoTime();
        List<Future<FleetReply>> replies = new ArrayList<>();
        knownVersions()
                .forEach((labels, versions) -> replies.add(fleets.since(labels, versions)
                        .onSuccess(reply -> send(labels, versions, reply))
                        .onFailure(cause -> reload(labels, cause))));
        Future.join(replies)
                .onComplete(_ ->
                        loop.owner().setTimer(pauseMillis(Duration.ofNanos(System.nanoTime() - begin)), _ -> look()));
    }

    /** Returns the pause, in milliseconds, after a check that took this time. */
    static long pauseMillis(Duration look) {
        return Math.clamp(look.multipliedBy(FLEET_REST).toMillis(), FLEET_MILLIS, FLEET_MOST_MILLIS);
    }

    /**
     * If a check failed because of its labels, asks the clients with these labels to load the list of GPU nodes again.
     * The answer to that request will tell them the reason.
     */
    private void reload(List<String> labels, Throwable cause) {
        if (FleetApi.concernsLabels(cause)) {
            clients.stream()
                    .filter(client ->
                            client.fleetVersion().isPresent() && labels(client).equals(labels))
                    .forEach(EventStreamClient::reload);
        }
    }

    /**
     * Returns the versions of the list of GPU nodes that clients know. The key is the list of labels that the clients
     * want to see. Clients that cannot receive an event now are left out.
     */
    private Map<List<String>, Set<String>> knownVersions() {
        Map<List<String>, Set<String>> known = new HashMap<>();
        for (EventStreamClient client : clients) {
            client.fleetVersion()
                    .ifPresent(version -> known.computeIfAbsent(labels(client), _ -> new HashSet<>())
                            .add(version));
        }
        return known;
    }

    private static List<String> labels(EventStreamClient client) {
        return client.query().fleet().map(FleetWish::labels).orElse(List.of());
    }

    private void send(List<String> labels, Set<String> versions, FleetReply reply) {
        for (EventStreamClient client : clients) {
            if (labels(client).equals(labels)) {
                // A client that connected after the request was sent gets its event at the next check.
                client.fleetVersion()
                        .filter(versions::contains)
                        .map(reply.events()::get)
                        .ifPresent(event -> client.fleet(reply.version(), event));
            }
        }
    }

    private Optional<String> greediest() {
        return clients.stream().map(EventStreamClient::address).max(Comparator.comparingLong(this::count));
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
        sendWaiting();
        for (EventStreamClient client : List.copyOf(clients)) {
            if (!client.heartbeat()) {
                drop(client);
            } else if (isOver(client)) {
                clients.remove(client);
                client.renew();
            }
        }
    }

    /** Returns true if the stream must end, so that the right of the client is checked again. */
    private boolean isOver(EventStreamClient client) {
        return checksRights && client.beats() >= (client.query().isOfTenant() ? MOST_BEATS_OF_TENANT : MOST_BEATS);
    }

    private void drop(EventStreamClient client) {
        clients.remove(client);
        missed.accept(client.missedDecisions());
        client.drop();
    }

    /** Ends all streams, so that their clients connect to another replica. */
    void end() {
        sendWaiting();
        List.copyOf(clients).forEach(EventStreamClient::end);
        clients.clear();
    }
}
