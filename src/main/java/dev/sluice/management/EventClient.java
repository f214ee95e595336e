package dev.sluice.management;

import dev.sluice.api.EventEncoder;
import dev.sluice.record.KeptDecision;
import dev.sluice.record.RecentEvents;
import dev.sluice.record.StreamEvent;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A client of the stream. Nothing is queued for it except in its socket: it is sent the events that are kept as fast as
 * it reads, and is dropped when it falls behind them.
 */
final class EventClient {

    /** What may wait in the socket. */
    private static final int MOST_UNREAD_BYTES = 256 * 1024;

    /** An event takes some microseconds to encode, and the event loop has other work. */
    private static final int MOST_AT_ONCE = 64;

    private final String address;
    private final HttpServerResponse response;
    private final RecentEvents events;
    private final EventEncoder encoder;
    private final Context loop;
    private long next;
    private boolean pumping;
    /** The socket was full at the last heartbeat, and has been since. */
    private boolean stalled;

    /** A client at this IP address. */
    EventClient(String address, HttpServerResponse response, RecentEvents events, EventEncoder encoder, Context loop) {
        this.address = address;
        this.response = response.setWriteQueueMaxSize(MOST_UNREAD_BYTES);
        this.events = events;
        this.encoder = encoder;
        this.loop = loop;
        this.next = events.newest() + 1;
        var _ = response.drainHandler(_ -> drained());
    }

    String address() {
        return address;
    }

    private void drained() {
        stalled = false;
        pump();
    }

    /** Begins with what comes now, or with what came after the event with this id. */
    void begin(Optional<String> lastId) {
        lastId.ifPresent(this::resumeAfter);
        write(encoder.position(next - 1));
        pump();
    }

    /** The client is told if some of it is no longer kept. */
    private void resumeAfter(String lastId) {
        long last = encoder.numberOf(lastId).orElse(0L);
        next = Math.max(last + 1, events.oldest());
        if (last + 1 < next
                || last > events.newest()
                || encoder.numberOf(lastId).isEmpty()) {
            next = events.oldest();
            write(EventEncoder.RESET);
        }
    }

    /** Tells what the client has not been told yet, as long as it reads. */
    void pump() {
        if (pumping) {
            return;
        }
        for (int i = 0; i < MOST_AT_ONCE && !response.writeQueueFull(); i++) {
            Optional<StreamEvent> event = events.at(next);
            if (event.isEmpty()) {
                return;
            }
            write(encoder.text(next, event.get()));
            next++;
        }
        if (!response.writeQueueFull()) {
            pumping = true;
            loop.runOnContext(_ -> {
                pumping = false;
                pump();
            });
        }
    }

    /** True if the client has fallen behind what is kept. */
    boolean isBehind() {
        return next < events.oldest();
    }

    /** How many decisions the client has not been told. What is no longer kept is taken for one. */
    long untold() {
        return LongStream.rangeClosed(next, events.newest())
                .filter(number ->
                        events.at(number).map(KeptDecision.class::isInstance).orElse(true))
                .count();
    }

    /** Keeps the connection from being idle; false if the client reads nothing any more. */
    boolean heartbeat() {
        if (response.writeQueueFull()) {
            boolean twice = stalled;
            stalled = true;
            return !twice;
        }
        stalled = false;
        write(EventEncoder.HEARTBEAT);
        return true;
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
