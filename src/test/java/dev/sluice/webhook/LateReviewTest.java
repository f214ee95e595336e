package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.bus.Topic;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.ReviewRecord;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A large review that is not decided in time is refused, which is counted once, and no decision is told of. */
class LateReviewTest {

    private static final Verdict VERDICT = Verdict.Allowed.untouched(Reason.MALFORMED_POD, List.of());

    /** Each turn is a question to the event loop, which takes about a millisecond. */
    private static final int MOST_TURNS = 5_000;

    private final BlockingQueue<ReviewRecord> records = new LinkedBlockingQueue<>();

    /** With a body that no event loop works on. */
    private static byte[] large(String uid, String timeout) {
        String review = Requests.review(uid, Requests.POD) + " ".repeat(ReviewWorkers.AT_ONCE);
        return Requests.postTo(
                "/mutate?timeout=" + timeout, "application/json", review.getBytes(StandardCharsets.UTF_8));
    }

    private TestGateway gateway(GatewayAdmissions.ReviewDecider decision) throws Exception {
        return TestGateway.start(TlsEngine.OPENSSL, vertx -> {
            Topic.DECISIONS.subscribe(vertx, batch -> records.addAll(batch.records()));
            return decision;
        });
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void aDecisionAfterTheRefusalIsNotTold() throws Exception {
        Promise<Verdict> verdict = Promise.promise();
        try (TestGateway gateway = gateway((_, _, _) -> verdict.future())) {
            assertThat(gateway.ask(large("late", "1s")).status()).isEqualTo(503);
            verdict.complete(VERDICT);
            assertThat(gateway.ask(large("in-time", "30s")).status()).isEqualTo(200);

            assertThat(records.poll(10, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            DecisionRecord.class,
                            record -> assertThat(record.pod().head().uid()).isEqualTo("in-time"));
            assertThat(gateway.told.refusals).containsExactly(503);
        }
    }

    @Test
    void oneThatWaitsForAThreadTooLongIsCountedOnce() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        List<String> decided = new CopyOnWriteArrayList<>();
        try (TestGateway gateway = gateway((review, _, _) -> {
                    decided.add(review.uid());
                    if (review.uid().equals("slow")) {
                        busy.countDown();
                        awaited(done);
                    }
                    return Future.succeededFuture(VERDICT);
                });
                RawClient slow = gateway.connect()) {
            var _ = slow.send(large("slow", "30s"));
            awaited(busy);
            assertThat(gateway.ask(large("waits", "1s")).status()).isEqualTo(503);
            done.countDown();
            assertThat(slow.read().status()).isEqualTo(200);
            assertThat(gateway.ask(large("in-time", "30s")).status()).isEqualTo(200);

            assertThat(gateway.told.refusals).containsExactly(503);
            assertThat(decided).containsExactly("slow", "in-time");
        }
    }

    @Test
    void aLateDecisionGivesTheMemoryOfItsBodyBack() throws Exception {
        Promise<Verdict> verdict = Promise.promise();
        try (TestGateway gateway = gateway((_, _, _) -> verdict.future())) {
            assertThat(gateway.ask(large("late", "1s")).status()).isEqualTo(503);
            assertThat(heldBytes(gateway)).isPositive();
            verdict.complete(VERDICT);

            awaitHeld(gateway, 0);
        }
    }

    @Test
    void aReviewWhoseClientIsGoneBeforeItsTurnIsNotDecided() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        List<String> decided = new CopyOnWriteArrayList<>();
        try (TestGateway gateway = gateway((review, _, _) -> {
                    decided.add(review.uid());
                    if (review.uid().equals("slow")) {
                        busy.countDown();
                        awaited(done);
                    }
                    return Future.succeededFuture(VERDICT);
                });
                RawClient slow = gateway.connect()) {
            var _ = slow.send(large("slow", "30s"));
            awaited(busy);
            long ofSlow = heldBytes(gateway);
            try (RawClient gone = gateway.connect()) {
                var _ = gone.send(large("gone", "30s"));
                awaitMoreThan(gateway, ofSlow);
            }
            awaitHeld(gateway, ofSlow);
            done.countDown();
            assertThat(slow.read().status()).isEqualTo(200);
            assertThat(gateway.ask(large("in-time", "30s")).status()).isEqualTo(200);

            assertThat(decided).containsExactly("slow", "in-time");
        }
    }

    private static long heldBytes(TestGateway gateway) {
        return gateway.intake.budget().heldBytes();
    }

    private static void awaitHeld(TestGateway gateway, long bytes) throws IOException {
        for (int turn = 0; turn < MOST_TURNS && heldBytes(gateway) != bytes; turn++) {
            gateway.roundTrip();
        }
        assertThat(heldBytes(gateway)).isEqualTo(bytes);
    }

    private static void awaitMoreThan(TestGateway gateway, long bytes) throws IOException {
        for (int turn = 0; turn < MOST_TURNS && heldBytes(gateway) <= bytes; turn++) {
            gateway.roundTrip();
        }
        assertThat(heldBytes(gateway)).isGreaterThan(bytes);
    }
}
