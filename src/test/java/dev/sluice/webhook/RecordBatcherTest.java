package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.Topic;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import dev.sluice.record.ReviewRecordBatch;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordBatcherTest {

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<ReviewRecordBatch> published = new LinkedBlockingQueue<>();
    private final RecordBatcher batcher = new RecordBatcher();
    private int batches;

    @BeforeEach
    void subscribe() {
        Topic.install(vertx);
        Topic.DECISIONS.subscribe(vertx, published::add);
    }

    @AfterEach
    void close() {
        var _ = vertx.close();
    }

    private void add(long from, long to) {
        vertx.getOrCreateContext()
                .runOnContext(
                        _ -> LongStream.range(from, to).forEach(nanos -> batcher.add(vertx, new PodWithoutGpu(nanos))));
    }

    private List<Long> received(int most) throws InterruptedException {
        List<Long> all = new ArrayList<>();
        while (all.size() < most) {
            ReviewRecordBatch batch = published.poll(10, TimeUnit.SECONDS);
            assertThat(batch).as("after %s records", all.size()).isNotNull();
            batches++;
            batch.records().stream().map(ReviewRecord::nanos).forEach(all::add);
        }
        return all;
    }

    @Test
    void aSingleRecordIsNotHeldBack() throws Exception {
        add(0, 1);

        assertThat(received(1)).containsExactly(0L);
    }

    /** Those who only look on, such as the log and the stream of events, wait for nothing where little happens. */
    @Test
    void aRecordThatComesAloneIsToldWithinTheTurnOfItsAnswer() throws Exception {
        CompletableFuture<Integer> told = new CompletableFuture<>();
        Context loop = vertx.getOrCreateContext();
        List<ReviewRecordBatch> here = new ArrayList<>();
        loop.runOnContext(_ -> {
            Topic.DECISIONS.subscribe(vertx, here::add);
            batcher.add(vertx, new PodWithoutGpu(1));
            loop.runOnContext(_ -> loop.runOnContext(_ -> told.complete(here.size())));
        });

        assertThat(told.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }

    /** What is told wakes every consumer. */
    @Test
    void recordsThatComeFastAreToldTogether() throws Exception {
        Context loop = vertx.getOrCreateContext();
        loop.runOnContext(_ -> addInTurns(loop, 0, 50));

        assertThat(received(50)).isEqualTo(LongStream.range(0, 50).boxed().toList());
        assertThat(batches).isLessThan(25);
    }

    /** Adds each record when the turn in which the one before it could be told at once has ended. */
    private void addInTurns(Context loop, long from, long to) {
        if (from < to) {
            batcher.add(vertx, new PodWithoutGpu(from));
            loop.runOnContext(_ -> loop.runOnContext(_ -> addInTurns(loop, from + 1, to)));
        }
    }

    @Test
    void whoAsksIsToldWhatIsHeld() throws Exception {
        add(0, 1);
        assertThat(received(1)).containsExactly(0L);
        CompletableFuture<List<Long>> told = new CompletableFuture<>();
        List<Long> heard = new ArrayList<>();
        Context loop = vertx.getOrCreateContext();
        loop.runOnContext(_ -> {
            Topic.DECISIONS.subscribe(
                    vertx,
                    batch -> batch.records().stream().map(ReviewRecord::nanos).forEach(heard::add));
            batcher.add(vertx, new PodWithoutGpu(1));
            batcher.publish(vertx);
            batcher.add(vertx, new PodWithoutGpu(2));
            batcher.publish(vertx);
            loop.runOnContext(_ -> told.complete(heard));
        });

        assertThat(told.get(10, TimeUnit.SECONDS)).containsExactly(1L, 2L);
    }

    /** Nobody asks for these records, so only the timer tells of them. */
    @Test
    void recordsThatFollowEachOtherAreToldAfterAMomentAgainAndAgain() throws Exception {
        Context loop = vertx.getOrCreateContext();
        // On a slow machine, the second record may come so late that it is told at once. It does not in most rounds.
        for (long i = 0; i < 20; i++) {
            long first = 2 * i;
            loop.runOnContext(_ -> {
                batcher.add(vertx, new PodWithoutGpu(first));
                batcher.publish(vertx);
                loop.runOnContext(_ -> loop.runOnContext(_ -> batcher.add(vertx, new PodWithoutGpu(first + 1))));
            });

            assertThat(received(2)).containsExactly(first, first + 1);
        }
    }

    @Test
    void aBurstIsToldInOrderInBatchesOfLimitedSize() throws Exception {
        add(0, 1_000);

        assertThat(published.take().records()).hasSize(256);
        assertThat(received(1_000 - 256))
                .containsExactlyElementsOf(LongStream.range(256, 1_000).boxed().toList());
    }
}
