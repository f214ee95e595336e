package dev.sluice.api;

import dev.sluice.record.KeptDecision;
import dev.sluice.record.StreamEvent;
import java.util.Optional;

/** Encodes events as server-sent events (WHATWG HTML, section 9.2). Their data is JSON on one line. */
public record EventEncoder(String epoch) {

    /** Tells the ids of events from those of decisions. */
    private static final String MARK = "-e";

    /** A comment, which clients pass over. */
    public static final String HEARTBEAT = ":\n\n";

    /** Some events before the next one are lost to this client. */
    public static final String RESET = "event: reset\ndata: {}\n\n";

    /** The nodes offer something else now. */
    private record CapacityNotice(long generation, int nodes) {}

    /** The event with its number. */
    public String text(long number, StreamEvent event) {
        return switch (event) {
            case KeptDecision made -> frame(number, "decision", ApiJson.text(DecisionDocument.of(made, epoch)));
            case StreamEvent.CapacityChanged(long generation, int nodes) ->
                frame(number, "capacity", ApiJson.text(new CapacityNotice(generation, nodes)));
        };
    }

    private String frame(long number, String type, String data) {
        return id(number) + "event: " + type + "\ndata: " + data + "\n\n";
    }

    private String id(long number) {
        return "id: " + epoch + MARK + number + "\n";
    }

    /** An id without data: no event, but the client can come back with it as with that of an event. */
    public String position(long number) {
        return id(number) + "\n";
    }

    /** The number in an id that this process has given; empty for those of other processes, and for anything else. */
    public Optional<Long> numberOf(String id) {
        String begin = epoch + MARK;
        return id.startsWith(begin) && id.substring(begin.length()).matches("[0-9]{1,18}")
                ? Optional.of(Long.parseLong(id.substring(begin.length())))
                : Optional.empty();
    }
}
