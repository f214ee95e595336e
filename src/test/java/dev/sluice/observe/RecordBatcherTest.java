package dev.sluice.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.Topic;
import dev.sluice.record.RecordBatch;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
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
    private final BlockingQueue<RecordBatch> published = new LinkedBlockingQueue<>();
    private final RecordBatcher batcher = new RecordBatcher();

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
            RecordBatch batch = published.poll(10, TimeUnit.SECONDS);
            assertThat(batch).as("after %s records", all.size()).isNotNull();
            batch.records().stream().map(ReviewRecord::nanos).forEach(all::add);
        }
        return all;
    }

    @Test
    void aSingleRecordIsNotHeldBack() throws Exception {
        add(0, 1);

        assertThat(received(1)).containsExactly(0L);
    }

    /** Otherwise somebody who has an answer and then reads the numbers would not find it. */
    @Test
    void aRecordIsToldWithinTheTurnOfItsAnswer() throws Exception {
        CompletableFuture<Integer> told = new CompletableFuture<>();
        Context loop = vertx.getOrCreateContext();
        List<RecordBatch> here = new ArrayList<>();
        loop.runOnContext(_ -> {
            Topic.DECISIONS.subscribe(vertx, here::add);
            batcher.add(vertx, new PodWithoutGpu(1));
            loop.runOnContext(_ -> loop.runOnContext(_ -> told.complete(here.size())));
        });

        assertThat(told.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void aBurstIsToldInOrderInBatchesOfLimitedSize() throws Exception {
        add(0, 1_000);

        assertThat(published.take().records()).hasSize(256);
        assertThat(received(1_000 - 256))
                .containsExactlyElementsOf(LongStream.range(256, 1_000).boxed().toList());
    }
}
