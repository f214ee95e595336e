package dev.sluice.management;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes answers of one kind that are expensive, so that many requests cannot keep the processor busy. One answer is
 * made at a time, followed by a pause of three times as long as it took. Equal questions share one answer if they were
 * asked before its making begins, so nobody gets an answer that is older than the question. Only one event loop may use
 * it.
 */
final class SharedAnswers<T> {

    /**
     * The maximum number of different questions that wait. Usually an answer takes milliseconds, and the last of these
     * questions is answered within a second.
     */
    static final int MOST_WAITING = 16;

    private static final int REST = 3;

    /** Thrown if too many different questions wait. */
    static final class TooManyQuestions extends Exception {

        private static final long serialVersionUID = 1;

        TooManyQuestions() {
            super("too many questions", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }

    private record Asked<T>(Supplier<Future<T>> maker, Promise<T> answer) {}

    private final long shortestRestMillis;
    /** The questions whose answer is not being made yet. */
    private final SequencedMap<Object, Asked<T>> waiting = new LinkedHashMap<>();

    private boolean busy;

    /**
     * Creates an empty queue.
     *
     * @param shortestRestMillis the shortest pause in milliseconds, at least 1 because Vert.x has no shorter timer
     */
    SharedAnswers(long shortestRestMillis) {
        this.shortestRestMillis = shortestRestMillis;
    }

    /**
     * Returns the answer to a question. The future fails if {@code maker} fails, or with {@link TooManyQuestions}.
     *
     * @param question the key of the answer; equal questions that wait share the answer of one maker
     * @param maker makes the answer on the event loop of the client that asked
     */
    Future<T> ask(Vertx vertx, Object question, Supplier<Future<T>> maker) {
        if (waiting.size() >= MOST_WAITING && !waiting.containsKey(question)) {
            return Future.failedFuture(new TooManyQuestions());
        }
        Asked<T> asked = waiting.computeIfAbsent(question, _ -> new Asked<>(maker, Promise.promise()));
        makeIfIdle(vertx);
        return asked.answer().future();
    }

    private void makeIfIdle(Vertx vertx) {
        if (busy || waiting.isEmpty()) {
            return;
        }
        Asked<T> first = waiting.pollFirstEntry().getValue();
        busy = true;
        long begin = System.nanoTime();
        // A maker that throws an exception fails only its own question, and does not block the others.
        Future.succeededFuture().compose(_ -> first.maker().get()).onComplete(made -> {
            long rest = TimeUnit.NANOSECONDS.toMillis(REST * (System.nanoTime() - begin));
            vertx.timer(Math.max(shortestRestMillis, rest), TimeUnit.MILLISECONDS)
                    .onSuccess(_ -> {
                        busy = false;
                        makeIfIdle(vertx);
                    });
            first.answer().handle(made);
        });
    }
}
