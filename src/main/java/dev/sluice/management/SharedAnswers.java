package dev.sluice.management;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Answers of one kind that are expensive to make, so that many requests could keep the processor busy. One is made at a
 * time, and after each the makers pause for three times as long as it took. All who ask the same before its making
 * begins share an answer, so nobody gets one that is older than the question. One event loop uses it.
 */
final class SharedAnswers<T> {

    /** Different questions. As a rule an answer takes milliseconds, and the last of so many comes within a second. */
    static final int MOST_WAITING = 16;

    private static final int REST = 3;

    /** Too many different questions wait. */
    static final class TooManyQuestions extends Exception {

        private static final long serialVersionUID = 1;

        TooManyQuestions() {
            super("too many questions", null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        }
    }

    private record Asked<T>(Supplier<Future<T>> maker, Promise<T> answer) {}

    private final long shortestRestMillis;
    /** The questions whose answers nobody makes yet. */
    private final SequencedMap<Object, Asked<T>> waiting = new LinkedHashMap<>();

    private boolean busy;

    /** @param shortestRestMillis at least 1, because a timer of Vert.x takes a millisecond */
    SharedAnswers(long shortestRestMillis) {
        this.shortestRestMillis = shortestRestMillis;
    }

    /**
     * Fails as the making does, or with {@link TooManyQuestions}.
     *
     * @param question the same ones are equal
     * @param maker is called on the event loop of whoever asks; who asks the same gets what one of them makes
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
        // A maker that throws fails, and does not keep all others waiting for ever.
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
