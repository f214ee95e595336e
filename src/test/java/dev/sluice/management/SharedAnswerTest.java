package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class SharedAnswerTest {

    private final List<Promise<String>> made = new CopyOnWriteArrayList<>();
    private final SharedAnswer<String> answer = new SharedAnswer<>(() -> {
        Promise<String> making = Promise.promise();
        made.add(making);
        return making.future();
    });

    private Context loop;

    @BeforeEach
    void begin(Vertx vertx) {
        loop = vertx.getOrCreateContext();
    }

    @Test
    void allWhoAskDuringAMakingShareTheNextOne(Vertx vertx) throws Exception {
        List<Future<String>> answers =
                onLoop(() -> Stream.generate(() -> answer.ask(vertx)).limit(100).toList());
        assertThat(made).hasSize(1);
        complete(0, "first");
        assertThat(answers.getFirst().await(5, TimeUnit.SECONDS)).isEqualTo("first");
        awaitMakings(2);
        complete(1, "second");
        for (Future<String> later : answers.subList(1, 100)) {
            assertThat(later.await(5, TimeUnit.SECONDS)).isEqualTo("second");
        }
        assertThat(made).hasSize(2);
    }

    @Test
    void restsForThreeTimesAsLongAsAMakingTook(Vertx vertx) throws Exception {
        Future<String> first = onLoop(() -> answer.ask(vertx));
        long begin = System.nanoTime();
        Future<String> second = onLoop(() -> answer.ask(vertx));
        vertx.timer(50, TimeUnit.MILLISECONDS).await(5, TimeUnit.SECONDS);
        complete(0, "first");
        var _ = first.await(5, TimeUnit.SECONDS);
        awaitMakings(2);
        assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50 + 3 * 50));
        complete(1, "second");
        assertThat(second.await(5, TimeUnit.SECONDS)).isEqualTo("second");
    }

    @Test
    void aMakingThatFailsEndsNothingElse(Vertx vertx) throws Exception {
        Future<String> first = onLoop(() -> answer.ask(vertx));
        var _ = onLoop(() -> made.getFirst().tryFail("nobody answers"));
        assertThat(first.failed()).isTrue();
        Future<String> second = onLoop(() -> answer.ask(vertx));
        awaitMakings(2);
        complete(1, "second");
        assertThat(second.await(5, TimeUnit.SECONDS)).isEqualTo("second");
    }

    private void complete(int making, String result) throws Exception {
        var _ = onLoop(() -> made.get(making).tryComplete(result));
    }

    private void awaitMakings(int count) throws InterruptedException {
        while (made.size() < count) {
            Thread.sleep(1);
        }
    }

    private <R> R onLoop(Supplier<R> action) throws Exception {
        Promise<R> done = Promise.promise();
        loop.runOnContext(_ -> done.complete(action.get()));
        return done.future().await(5, TimeUnit.SECONDS);
    }
}
