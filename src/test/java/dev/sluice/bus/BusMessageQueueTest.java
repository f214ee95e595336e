package dev.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusMessageQueueTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<Integer> taken = new LinkedBlockingQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        release.countDown();
        await(vertx.close());
    }

    private static void await(Future<?> future) throws Exception {
        var _ = future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void whatIsOfferedIsTakenInItsOrder() throws Exception {
        BusMessageQueue<Integer> inbox = new BusMessageQueue<>(vertx, "test", 1_000, taken::add);
        for (int i = 0; i < 10; i++) {
            inbox.offer(numbers(i * 100, i * 100 + 100));
            await(inbox.settled(PATIENCE));
        }

        assertThat(taken).containsExactlyElementsOf(numbers(0, 1_000));
        assertThat(inbox.dropped()).isZero();
    }

    @Test
    void aConsumerIsToldWhenNothingWaitsAnyMore() throws Exception {
        BusMessageQueue<Integer> inbox = new BusMessageQueue<>(vertx, "test", 16, taken::add, () -> {
            taken.add(-1);
            throw new IllegalStateException("a fault of the consumer");
        });
        inbox.offer(numbers(0, 4));
        await(inbox.settled(PATIENCE));
        inbox.offer(numbers(4, 6));
        await(inbox.settled(PATIENCE));

        assertThat(taken).containsSubsequence(3, -1, 4, 5, -1);
        assertThat(inbox.dropped()).isZero();
    }

    @Test
    void aConsumerThatHangsHoldsNobodyAndItsInboxStaysSmall() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        BusMessageQueue<Integer> inbox = new BusMessageQueue<>(vertx, "test", 16, number -> {
            hangs.countDown();
            waitForRelease();
            taken.add(number);
        });
        inbox.offer(numbers(0, 1));
        assertThat(hangs.await(10, TimeUnit.SECONDS)).isTrue();

        inbox.offer(numbers(1, 10_001));

        assertThat(inbox.dropped()).isEqualTo(10_000 - 16);
        await(inbox.settled(Duration.ofMillis(1)));
        assertThat(taken).isEmpty();

        release.countDown();
        await(inbox.settled(PATIENCE));
        assertThat(taken).containsExactlyElementsOf(numbers(0, 17));
    }

    private void waitForRelease() {
        try {
            release.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aFaultCostsOneMessageAndIsCounted() throws Exception {
        BusMessageQueue<Integer> inbox = new BusMessageQueue<>(vertx, "test", 16, number -> {
            if (number == 1) {
                throw new IllegalStateException("a fault of the consumer");
            }
            taken.add(number);
        });
        inbox.offer(numbers(0, 4));
        await(inbox.settled(PATIENCE));

        assertThat(taken).containsExactly(0, 2, 3);
        assertThat(inbox.dropped()).isEqualTo(1);
    }
}
