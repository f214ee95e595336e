package dev.sluice.webhook.intake;

import java.util.Locale;

/** The reasons for closing a connection or refusing a body that cost too much or was too slow. */
public enum AbuseCause {
    /**
     * There were too many connections, and this one was new, or it was the connection that had been idle for the
     * longest time.
     */
    NO_ROOM,
    /** There were too many TLS handshakes under way, and this one was the oldest. */
    TOO_MANY_HANDSHAKES,
    SLOW_HANDSHAKE,
    NO_REQUEST,
    SLOW_HEAD,
    UNREAD_ANSWER,
    /** The client sent many requests ahead without reading the answers. */
    TOO_MANY_PIPELINED,
    /** The body came too slowly, or it was not complete before its caller would stop waiting. */
    SLOW_BODY,
    NO_MEMORY,
    /** The review had to wait for other reviews until its caller would stop waiting. */
    LATE_DECISION;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
