package dev.sluice.webhook.intake;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;

/**
 * The rest of a body that was refused before it was complete. The rest is read and dropped, because a client reads the
 * refusal only after it has sent the whole body. After that, the connection is closed.
 */
public final class UnreadBody {

    /** The time in milliseconds without data after which the connection is closed. */
    private static final long SILENCE_MILLIS = 1_000;

    /**
     * The maximum number of checks, with a pause of {@link #SILENCE_MILLIS} before each. After the last one, the
     * connection is closed even if the client still sends data.
     */
    private static final int MOST_CHECKS = 10;

    private final Vertx vertx;
    private final HttpConnection connection;
    private boolean received;
    private int checks;

    public UnreadBody(Vertx vertx, HttpConnection connection) {
        this.vertx = vertx;
        this.connection = connection;
        vertx.setTimer(SILENCE_MILLIS, _ -> check());
    }

    public void received() {
        received = true;
    }

    private void check() {
        if (received && ++checks < MOST_CHECKS) {
            received = false;
            vertx.setTimer(SILENCE_MILLIS, _ -> check());
        } else {
            var _ = connection.close();
        }
    }
}
