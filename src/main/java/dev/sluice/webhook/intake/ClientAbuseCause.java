package dev.sluice.webhook.intake;

import java.util.Locale;

/** The reasons for closing a connection or refusing a body because it uses too much or is too slow. */
public enum ClientAbuseCause {
    /** There were too many connections. Either the new connection or an older one was closed. */
    NO_ROOM,
    /** There were too many TLS handshakes in progress, and the handshake of the closed connection was the oldest. */
    TOO_MANY_HANDSHAKES,
    SLOW_HANDSHAKE,
    NO_REQUEST,
    SLOW_HEAD,
    UNREAD_ANSWER,
    /** The client sent too many requests without waiting for the answers or reading them. */
    TOO_MANY_PIPELINED,
    /** The body arrived too slowly, or was not complete before the deadline of its review. */
    SLOW_BODY,
    NO_MEMORY,
    /** The review had to wait for other reviews until its deadline. */
    LATE_DECISION;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
