package dev.sluice.api;

import dev.sluice.record.KeptDecision;
import dev.sluice.record.StreamEvent;
import java.util.Optional;

/** Encodes events as server-sent events (WHATWG HTML, section 9.2). The data of an event is JSON on one line. */
public record EventEncoder(String epoch) {

    /** A part of the ids of events that distinguishes them from the ids of decisions. */
    private static final String MARK = "-e";

    /** A comment, which clients ignore. It is sent to keep the connection open. */
    public static final String HEARTBEAT = ":\n\n";

    /** Tells the client that it has missed some events before the next one. */
    public static final String RESET = "event: reset\ndata: {}\n\n";

    /** The data of an event that says that the nodes offer other amounts than before. */
    private record CapacityNotice(long generation, int nodes) {}

    /** Returns the encoded event with its number. */
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

    /**
     * Returns an id without data. Clients do not treat it as an event, but they send the id when they connect again, as
     * they do with the id of an event.
     */
    public String position(long number) {
        return id(number) + "\n";
    }

    /**
     * Returns the number in an id of this process. It is empty for the ids of other processes and for any other text.
     */
    public Optional<Long> numberOf(String id) {
        String begin = epoch + MARK;
        return id.startsWith(begin) && id.substring(begin.length()).matches("[0-9]{1,18}")
                ? Optional.of(Long.parseLong(id.substring(begin.length())))
                : Optional.empty();
    }
}
