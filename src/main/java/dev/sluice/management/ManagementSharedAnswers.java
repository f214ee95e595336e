package dev.sluice.management;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Creates answers that are expensive, and prevents many requests from keeping the processor busy. One answer is created
 * at a time, followed by a pause that is three times as long as the creation took. Equal requests that wait at the same
 * time share one answer. An answer is created after the requests that share it have arrived, so it is never older than
 * these requests. Only one event loop may use it.
 */
final class ManagementSharedAnswers<T> {

    /**
     * The maximum number of different requests that wait, unless the queue has a limit of its own. An answer usually
     * takes milliseconds. With a pause of 50 ms after each answer, the last request is answered within a second.
     */
    static final int MOST_WAITING = 16;

    private static final int REST = 3;

    /**
     * The longest pause in milliseconds, unless the shortest pause of the queue is longer. Without this limit, all
     * requests would wait for minutes if the process was paused while it created an answer.
     */
    private static final long LONGEST_REST_MILLIS = 10_000;

    /** Thrown if too many different questions wait. */
    static final class TooManyQuestions extends Exception {

        private static final long serialVersionUID = 1;

        TooManyQuestions() {
            super("too many questions", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }

    private record Asked<T>(Supplier<Future<T>> maker, Promise<T> answer) {}

    private final long shortestRestMillis;
    private final int mostWaiting;
    /** The questions that wait. The question whose answer is being created now is not among them. */
    private final SequencedMap<Object, Asked<T>> waiting = new LinkedHashMap<>();

    private boolean busy;

    /**
     * Creates an empty queue.
     *
     * @param shortestRestMillis the shortest pause in milliseconds, at least 1 because Vert.x has no shorter timer
     */
    ManagementSharedAnswers(long shortestRestMillis) {
        this(shortestRestMillis, MOST_WAITING);
    }

    /**
     * Creates an empty queue.
     *
     * @param mostWaiting the maximum number of different requests that wait
     */
    ManagementSharedAnswers(long shortestRestMillis, int mostWaiting) {
        this.shortestRestMillis = shortestRestMillis;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Returns the answer to a question. The future fails if {@code maker} fails, or with {@link TooManyQuestions}.
     *
     * @param question the key of the answer; equal questions that wait share one answer
     * @param maker creates the answer; it runs on the event loop of the caller
     */
    Future<T> ask(Vertx vertx, Object question, Supplier<Future<T>> maker) {
        if (waiting.size() >= mostWaiting && !waiting.containsKey(question)) {
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
        // If a maker throws an exception, only its own question fails, and the next question can be answered.
        Future.succeededFuture().compose(_ -> first.maker().get()).onComplete(made -> {
            vertx.timer(restMillis(System.nanoTime() - begin), TimeUnit.MILLISECONDS)
                    .onSuccess(_ -> {
                        busy = false;
                        makeIfIdle(vertx);
                    });
            first.answer().handle(made);
        });
    }

    /** Returns the pause, in milliseconds, after an answer whose creation took this many nanoseconds. */
    long restMillis(long nanos) {
        long rest = Math.min(LONGEST_REST_MILLIS, TimeUnit.NANOSECONDS.toMillis(REST * nanos));
        return Math.max(shortestRestMillis, rest);
    }
}
