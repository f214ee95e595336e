package dev.sluice.it;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends small reviews of GPU pods at a steady rate, as an API server does: over a few connections that it keeps, and
 * now and then over a new one. It checks each answer, and never tries again.
 */
final class GoodClient {

    private static final int CONNECTIONS = 4;
    /** Each of the connections; together 200 reviews a second, of which the gateway takes some thousands. */
    private static final Duration BETWEEN = Duration.ofMillis(20);

    private static final int REVIEWS_OF_A_CONNECTION = 50;
    private static final Duration WINDOW = Duration.ofSeconds(1);

    private final Siege siege;

    GoodClient(Siege siege) {
        this.siege = siege;
    }

    /** What an attacker does, in a thread of its own. */
    interface Attack {
        void run() throws Exception;
    }

    /** With nobody else there. A first second is not counted, so that the gateway is warm. */
    Served inQuiet(Duration duration) throws Exception {
        var _ = during(endingAfter(Duration.ofSeconds(1)));
        return during(endingAfter(duration));
    }

    /** Until the attack is over. */
    Served beside(Attack attack) throws Exception {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<?> running = thread.submit(() -> {
                attack.run();
                return true;
            });
            Served served = during(running::isDone);
            var _ = running.get();
            return served;
        }
    }

    private static BooleanSupplier endingAfter(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        return () -> System.nanoTime() > end;
    }

    private Served during(BooleanSupplier over) throws Exception {
        long start = System.nanoTime();
        List<Caller> callers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                Caller caller = new Caller(start);
                callers.add(caller);
                ends.add(threads.submit(() -> {
                    caller.call(over);
                    return true;
                }));
            }
            for (Future<?> end : ends) {
                var _ = end.get();
            }
        }
        return together(callers);
    }

    private static Served together(List<Caller> callers) {
        List<List<Long>> windows = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (Caller caller : callers) {
            failures.addAll(caller.failures);
            for (int at = 0; at < caller.windows.size(); at++) {
                if (at == windows.size()) {
                    windows.add(new ArrayList<>());
                }
                windows.get(at).addAll(caller.windows.get(at));
            }
        }
        return new Served(windows, failures);
    }

    /** One connection after another. */
    private final class Caller {

        private final long start;
        private final List<List<Long>> windows = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();
        private @Nullable RawConnection connection;

        Caller(long start) {
            this.start = start;
        }

        void call(BooleanSupplier over) throws IOException {
            for (int sent = 1; !over.getAsBoolean(); sent++) {
                ask();
                if (sent % REVIEWS_OF_A_CONNECTION == 0) {
                    hangUp();
                }
                LockSupport.parkNanos(BETWEEN.toNanos());
            }
            hangUp();
        }

        private void ask() throws IOException {
            GoodReview review = GoodReview.next();
            byte[] request = RawConnection.post(review.body());
            long begin = System.nanoTime();
            try {
                RawConnection open = connection == null ? siege.connect() : connection;
                connection = open;
                open.send(request);
                RawConnection.Answer answer = open.answer();
                long took = System.nanoTime() - begin;
                Optional<String> problem = review.problem(answer);
                if (problem.isPresent()) {
                    failures.add(problem.get());
                    hangUp();
                } else {
                    note(took);
                }
            } catch (IOException lost) {
                failures.add(lost.toString());
                hangUp();
            }
        }

        private void note(long took) {
            int window = (int) ((System.nanoTime() - start) / WINDOW.toNanos());
            while (windows.size() <= window) {
                windows.add(new ArrayList<>());
            }
            windows.get(window).add(took);
        }

        private void hangUp() throws IOException {
            if (connection != null) {
                connection.close();
                connection = null;
            }
        }
    }
}
