package dev.sluice.webhook;

import dev.sluice.replication.Member;

/** Signals that another replica makes the decisions, so that the review has to be forwarded. */
final class GatewayMustForwardException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient Member holder;

    GatewayMustForwardException(Member holder) {
        super(holder.identity(), null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.holder = holder;
    }

    /** Returns the replica that decides. */
    Member holder() {
        return holder;
    }
}
