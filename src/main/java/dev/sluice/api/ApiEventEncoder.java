package dev.sluice.api;

import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.RecordedStreamEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events of the event stream as server-sent events (WHATWG HTML, section 9.2). The data of an event is JSON on
 * one line.
 */
public record ApiEventEncoder(String epoch) {

    /** A part of each event id. It distinguishes the ids of events from the ids of decisions. */
    private static final String MARK = "-e";

    /** A heartbeat that keeps the connection open. It is a comment, which clients ignore. */
    public static final String HEARTBEAT = ":\n\n";

    /** An event that informs the client that it has missed some events. */
    public static final String RESET = "event: reset\ndata: {}\n\n";

    /**
     * The last event of a stream. The gateway ends each stream after some time, to check the right of the client again.
     * The client should connect again at once.
     */
    public static final String RENEW = "event: end\ndata: {\"reason\":\"renew\"}\n\n";

    /**
     * The data of the event that states which replica decides. The names of replicas are null if the client may not
     * know them.
     *
     * @param replica the name of this replica
     * @param holder the name of the other replica that makes all decisions; also null if there is none
     */
    private record DecidingNotice(
            @Nullable String replica,
            boolean decides,
            @Nullable String holder) {}

    /** Returns the event that states whether this replica decides. If another replica decides, the event names it. */
    public static String replica(Optional<String> replica, boolean decides, Optional<String> holder) {
        return frame("replica", ApiJson.text(new DecidingNotice(replica.orElse(null), decides, holder.orElse(null))));
    }

    /** Returns the event with this data about changed nodes. */
    public static String fleet(Object data) {
        return frame("fleet", ApiJson.text(data));
    }

    private static String frame(String type, String data) {
        return "event: " + type + "\ndata: " + data + "\n\n";
    }

    /** The data of the event that reports a change of the devices of the nodes. */
    private record CapacityNotice(long generation, int nodes) {}

    /** Returns the event as text. Its id contains the sequence number {@code number}. */
    public String text(long number, RecordedStreamEvent event) {
        return switch (event) {
            case NumberedDecisionRecord made ->
                numbered(number, "decision", ApiJson.text(DecisionDocument.of(made, epoch)));
            case RecordedStreamEvent.CapacityChanged(long generation, int nodes) ->
                numbered(number, "capacity", ApiJson.text(new CapacityNotice(generation, nodes)));
        };
    }

    /** The data of the event that tells a client how many decisions were left out. */
    private record LeftOutNotice(long decisions) {}

    /**
     * Returns the event that tells the client how many decisions were left out. Its id contains the sequence number of
     * the last event before it.
     */
    public String leftOut(long number, long decisions) {
        return numbered(number, "leftOut", ApiJson.text(new LeftOutNotice(decisions)));
    }

    private String numbered(long number, String type, String data) {
        return id(number) + frame(type, data);
    }

    private String id(long number) {
        return "id: " + epoch + MARK + number + "\n";
    }

    /**
     * Returns an event id without data. Clients do not treat it as an event, but they send the id when they connect
     * again.
     */
    public String position(long number) {
        return id(number) + "\n";
    }

    /**
     * Returns the sequence number in an event id of this process. Returns empty for the ids of other processes and for
     * any other text.
     */
    public Optional<Long> numberOf(String id) {
        String begin = epoch + MARK;
        return id.startsWith(begin) && id.substring(begin.length()).matches("[0-9]{1,18}")
                ? Optional.of(Long.parseLong(id.substring(begin.length())))
                : Optional.empty();
    }
}
