package dev.sluice.body;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;

/**
 * What still comes of a body that was refused early. It is thrown away, because a client gets to read the refusal only
 * when all that it sends is taken; then the connection ends.
 */
public final class UnreadBody {

    /** The connection ends when nothing has come for so long. */
    private static final long SILENCE_MILLIS = 1_000;

    /** A client that sends on and on is cut off after so many times that. */
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
