package dev.sluice.it;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks as the API server does: within three seconds in all, again a second after each 503, and again at once where a
 * connection that was kept turns out to have ended. Has one owner.
 */
final class PatientClient {

    /** {@code timeoutSeconds} in k8s/base/webhook.yaml. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration BETWEEN = Duration.ofMillis(100);

    private final Siege siege;
    private final List<String> lost = new ArrayList<>();
    private @Nullable RawConnection kept;
    private int served;

    PatientClient(Siege siege) {
        this.siege = siege;
    }

    /** Until it is over; a sentence for each review that was lost. */
    List<String> during(BooleanSupplier over) throws IOException {
        while (!over.getAsBoolean()) {
            ask(GoodReview.next());
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
        hangUp();
        return lost;
    }

    int served() {
        return served;
    }

    private void ask(GoodReview review) throws IOException {
        long begin = System.nanoTime();
        while (true) {
            String problem = attempt(review);
            long took = System.nanoTime() - begin;
            if (problem.isEmpty() && took <= PATIENCE.toNanos()) {
                served++;
                return;
            }
            if (!problem.startsWith("503") || took + RETRY_AFTER.toNanos() > PATIENCE.toNanos()) {
                lost.add(problem + " after " + took / 1_000_000 + " ms");
                return;
            }
            LockSupport.parkNanos(RETRY_AFTER.toNanos());
        }
    }

    private String attempt(GoodReview review) throws IOException {
        if (kept != null) {
            try {
                return exchange(kept, review);
            } catch (IOException ended) {
                hangUp();
            }
        }
        try {
            RawConnection fresh = siege.connect();
            kept = fresh;
            return exchange(fresh, review);
        } catch (IOException failed) {
            hangUp();
            return failed.toString();
        }
    }

    private static String exchange(RawConnection connection, GoodReview review) throws IOException {
        connection.send(RawConnection.post(review.body()));
        return review.problem(connection.answer()).orElse("");
    }

    private void hangUp() throws IOException {
        if (kept != null) {
            kept.close();
            kept = null;
        }
    }
}
