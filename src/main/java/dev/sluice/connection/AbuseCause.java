package dev.sluice.connection;

import java.util.Locale;

/** Why a connection was closed, or a body refused, for what it cost or for its pace. */
public enum AbuseCause {
    /** There were too many connections; this one was new, or did nothing and was the oldest. */
    NO_ROOM,
    /** There were too many handshakes under way, and this one was the oldest. */
    TOO_MANY_HANDSHAKES,
    SLOW_HANDSHAKE,
    NO_REQUEST,
    SLOW_HEAD,
    UNREAD_ANSWER,
    /** More requests were sent ahead than anybody needs, and their answers were not read. */
    TOO_MANY_PIPELINED,
    /** The body came below the least pace, or not before its caller would stop waiting. */
    SLOW_BODY,
    /** The memory for bodies was used up. */
    NO_MEMORY,
    /** The review waited for others for so long that its caller would stop waiting. */
    LATE_DECISION;

    /** As a label of a metric. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
