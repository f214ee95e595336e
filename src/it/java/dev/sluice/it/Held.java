package dev.sluice.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Connections that an abuser leaves open, so many at most; the oldest goes first. For several threads. */
final class Held implements AutoCloseable {

    private final int most;
    private final Deque<RawConnection> open = new ArrayDeque<>();

    Held(int most) {
        this.most = most;
    }

    synchronized void add(RawConnection connection) {
        open.addLast(connection);
        if (open.size() > most) {
            end(open.removeFirst());
        }
    }

    /** Those that have ended meanwhile are forgotten. */
    synchronized void each(Consumer<RawConnection> act) {
        open.removeIf(connection -> {
            try {
                act.accept(connection);
                return false;
            } catch (UncheckedIOException ended) {
                end(connection);
                return true;
            }
        });
    }

    private static void end(RawConnection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        open.forEach(Held::end);
        open.clear();
    }
}
