package dev.sluice.management;

import dev.sluice.api.ApiEventEncoder;
import dev.sluice.api.FleetDocument.FleetReload;
import dev.sluice.management.StreamQuery.FleetWish;
import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.RecordedStreamEvent;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A client of the event stream. The recent events are stored once for all clients, and are written to this client as
 * fast as it reads. If the next event that the client needs is no longer stored, the client is disconnected.
 */
final class EventStreamClient {

    /**
     * If the client has this number of unread bytes, nothing more is written to it. One write has at most 128 KiB: an
     * event {@code fleet}, or several joined events. A client therefore has at most 256 KiB of unread data.
     */
    private static final int MOST_UNREAD_BYTES = 128 * 1024;

    /**
     * The maximum number of events that are written in one turn of the event loop. Encoding an event takes some
     * microseconds, and the event loop has other work.
     */
    static final int MOST_AT_ONCE = 64;

    /** If a write has reached this size in bytes, no further event is added to it. */
    private static final int MOST_JOINED_BYTES = 64 * 1024;

    private static final String RELOAD = ApiEventEncoder.fleet(new FleetReload("", /* reload= */ true));

    private final String address;
    private final StreamQuery query;
    private final HttpServerResponse response;
    private final RecentRecordedEvents events;
    private final EncodedStreamEvents encoded;
    private final Context loop;
    private final EventStreamPace pace;
    private long next;
    private boolean pumping;
    /** True if the client had too many unread bytes at the last heartbeat and has read nothing since. */
    private boolean stalled;

    private int beats;
    /** The version of the list of GPU nodes that the client knows. */
    private String fleetVersion;
    /**
     * True if the client was asked to load the list of GPU nodes again, and has received no change of the list since
     * then. It is not asked again while this is true.
     */
    private boolean askedToReload;

    /**
     * Creates a client.
     *
     * @param address the IP address of the client
     * @param query what the client wants to receive
     */
    EventStreamClient(
            String address,
            StreamQuery query,
            HttpServerResponse response,
            RecentRecordedEvents events,
            EncodedStreamEvents encoded,
            Context loop) {
        this.address = address;
        this.query = query;
        this.pace = new EventStreamPace(query.perSecond());
        this.fleetVersion = query.fleet().map(FleetWish::version).orElse("");
        this.response = response.setWriteQueueMaxSize(MOST_UNREAD_BYTES);
        this.events = events;
        this.encoded = encoded;
        this.loop = loop;
        this.next = events.newest() + 1;
        var _ = response.drainHandler(_ -> drained());
    }

    String address() {
        return address;
    }

    StreamQuery query() {
        return query;
    }

    private void drained() {
        stalled = false;
        pump();
    }

    /**
     * Begins the stream. If {@code lastId} is given, the first event is the one after that id. Otherwise it is the next
     * event that happens.
     */
    void begin(Optional<String> lastId) {
        lastId.ifPresent(this::resumeAfter);
        // The rate limit does not apply to the events that the client missed while it was not connected, because the
        // client could also request them as a list.
        pace.allow(events.newest() - next + 1);
        write(encoded.encoder().position(next - 1));
        pump();
    }

    /**
     * Continues after the event with this id. Sends a reset event first if some of the later events are no longer
     * stored, or if the id is unknown.
     */
    private void resumeAfter(String lastId) {
        long last = encoded.encoder().numberOf(lastId).orElse(0L);
        next = Math.max(last + 1, events.oldest());
        if (last + 1 < next
                || last > events.newest()
                || encoded.encoder().numberOf(lastId).isEmpty()) {
            next = events.oldest();
            write(ApiEventEncoder.RESET);
        }
    }

    /** Writes the events that the client has not received yet, until the client stops reading. */
    void pump() {
        if (pumping || response.writeQueueFull()) {
            return;
        }
        Buffer joined = Buffer.buffer();
        long end = Math.min(next + MOST_AT_ONCE, events.newest() + 1);
        while (next < end && joined.length() < MOST_JOINED_BYTES) {
            Optional<RecordedStreamEvent> event = events.at(next);
            if (event.isEmpty()) {
                // The next event of this client is no longer stored, so the event stream will disconnect the client.
                break;
            }
            if (isSent(event.get())) {
                joined.appendBuffer(encoded.text(next, event.get()));
            }
            next++;
        }
        if (joined.length() > 0) {
            var _ = response.write(joined);
        }
        if (!response.writeQueueFull() && !isBehind() && next <= events.newest()) {
            pumping = true;
            loop.runOnContext(_ -> {
                pumping = false;
                pump();
            });
        }
    }

    private boolean isSent(RecordedStreamEvent event) {
        return query.wants(event) && (!(event instanceof NumberedDecisionRecord) || pace.admitsNext());
    }

    /**
     * Begins the next second of the rate limit, and reports to the client how many decisions were left out since the
     * last report. The report has the id of the last event that was sent or left out, so that a client that reconnects
     * continues after that event.
     */
    void nextSecond() {
        pace.nextSecond();
        if (!response.writeQueueFull()) {
            long leftOut = pace.takeLeftOut();
            if (leftOut > 0) {
                write(encoded.encoder().leftOut(next - 1, leftOut));
            }
        }
    }

    /** Returns true if the next event that the client needs is no longer stored. */
    boolean isBehind() {
        return next < events.oldest();
    }

    /**
     * Returns how many decisions the client has not received, in all namespaces. An event that is no longer stored
     * counts as a decision, because its kind is not known.
     */
    long missedDecisions() {
        return LongStream.rangeClosed(next, events.newest())
                .filter(number -> events.at(number)
                        .map(NumberedDecisionRecord.class::isInstance)
                        .orElse(true))
                .count();
    }

    /**
     * Writes a heartbeat, so that the connection is not closed as idle. Returns false if the client has stopped
     * reading.
     */
    boolean heartbeat() {
        if (response.writeQueueFull()) {
            boolean twice = stalled;
            stalled = true;
            return !twice;
        }
        stalled = false;
        // If the client wants one namespace only, the heartbeat contains the id of the newest event, even if that event
        // was left out. While all events are about other namespaces, the client would otherwise know only an old id,
        // from which it could not continue.
        write(query.namespace().isPresent() ? encoded.encoder().position(next - 1) : ApiEventEncoder.HEARTBEAT);
        beats++;
        return true;
    }

    /** Returns the number of heartbeats that were written. */
    int beats() {
        return beats;
    }

    /** Asks the client to connect again, and ends the stream. */
    void renew() {
        write(ApiEventEncoder.RENEW);
        end();
    }

    /**
     * Returns the version of the list of GPU nodes (the fleet) that the client knows. Returns empty if the client wants
     * no changes of the list. Also returns empty if the client has too many unread bytes; it then gets one event with
     * all changes later.
     */
    Optional<String> fleetVersion() {
        return query.fleet().filter(_ -> !response.writeQueueFull()).map(_ -> fleetVersion);
    }

    /** Sends {@code event}, which updates the client to this version of the list of GPU nodes. */
    void fleet(String version, String event) {
        fleetVersion = version;
        askedToReload = false;
        write(event);
    }

    /** Asks the client to load the list of GPU nodes again, unless it was already asked. */
    void reload() {
        if (!askedToReload) {
            askedToReload = true;
            write(RELOAD);
        }
    }

    /** Sends the event that states which replica decides, if the client wants changes of the list of GPU nodes. */
    void deciding(EventStreamReplica deciding) {
        if (query.fleet().isPresent()) {
            write(query.isOfTenant() ? deciding.eventWithoutNames() : deciding.event());
        }
    }

    private void write(String text) {
        var _ = response.write(text);
    }

    void end() {
        var _ = response.end();
    }

    void drop() {
        var _ = response.reset();
    }
}
