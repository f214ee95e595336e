package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
class ManagementSharedAnswersTest {

    private final List<Promise<String>> made = new CopyOnWriteArrayList<>();
    private final ManagementSharedAnswers<String> answers = new ManagementSharedAnswers<>(1);

    private Context loop;

    @BeforeEach
    void begin(Vertx vertx) {
        loop = vertx.getOrCreateContext();
    }

    @Test
    void allWhoAskDuringAMakingShareTheNextOne(Vertx vertx) throws Exception {
        List<Future<String>> asked = onLoop(
                () -> Stream.generate(() -> ask(vertx, "same")).limit(100).toList());
        assertThat(made).hasSize(1);
        complete(0, "first");
        assertThat(asked.getFirst().await(5, TimeUnit.SECONDS)).isEqualTo("first");
        awaitMakings(2);
        complete(1, "second");
        for (Future<String> later : asked.subList(1, 100)) {
            assertThat(later.await(5, TimeUnit.SECONDS)).isEqualTo("second");
        }
        assertThat(made).hasSize(2);
    }

    @Test
    void aMakerThatThrowsFailsItsOwnAnswerAlone(Vertx vertx) throws Exception {
        Future<String> broken = onLoop(() -> answers.ask(vertx, "broken", () -> {
            throw new IllegalStateException("broken");
        }));
        Future<String> next = onLoop(() -> ask(vertx, "next"));
        assertThatThrownBy(() -> broken.await(5, TimeUnit.SECONDS)).hasMessage("broken");
        awaitMakings(1);
        complete(0, "made");
        assertThat(next.await(5, TimeUnit.SECONDS)).isEqualTo("made");
    }

    @Test
    void restsForThreeTimesAsLongAsAMakingTook(Vertx vertx) throws Exception {
        Future<String> first = onLoop(() -> ask(vertx, "same"));
        long begin = System.nanoTime();
        Future<String> second = onLoop(() -> ask(vertx, "same"));
        vertx.timer(50, TimeUnit.MILLISECONDS).await(5, TimeUnit.SECONDS);
        complete(0, "first");
        var _ = first.await(5, TimeUnit.SECONDS);
        awaitMakings(2);
        assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50 + 3 * 50));
        complete(1, "second");
        assertThat(second.await(5, TimeUnit.SECONDS)).isEqualTo("second");
    }

    /** The process was paused, or had too little processor time. */
    @Test
    void restsForTenSecondsAtMost() {
        assertThat(answers.restMillis(TimeUnit.MICROSECONDS.toNanos(1))).isEqualTo(1);
        assertThat(answers.restMillis(TimeUnit.SECONDS.toNanos(2))).isEqualTo(6_000);
        assertThat(answers.restMillis(TimeUnit.MINUTES.toNanos(10))).isEqualTo(10_000);
        assertThat(new ManagementSharedAnswers<>(60_000).restMillis(TimeUnit.MINUTES.toNanos(10)))
                .isEqualTo(60_000);
    }

    /** The process was paused while the ledger was copied. */
    @Test
    void aCopyOfTheLedgerIsUsedForTwentySecondsAtMost() {
        assertThat(ManagementLedgerCopies.useNanos(TimeUnit.MILLISECONDS.toNanos(1)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(ManagementLedgerCopies.useNanos(TimeUnit.MILLISECONDS.toNanos(200)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(4));
        assertThat(ManagementLedgerCopies.useNanos(TimeUnit.MINUTES.toNanos(10)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void aMakingThatFailsEndsNothingElse(Vertx vertx) throws Exception {
        Future<String> first = onLoop(() -> ask(vertx, "same"));
        var _ = onLoop(() -> made.getFirst().tryFail("nobody answers"));
        assertThat(first.failed()).isTrue();
        Future<String> second = onLoop(() -> ask(vertx, "same"));
        awaitMakings(2);
        complete(1, "second");
        assertThat(second.await(5, TimeUnit.SECONDS)).isEqualTo("second");
    }

    @Test
    void differentQuestionsAreAnsweredOneAfterTheOther(Vertx vertx) throws Exception {
        Future<String> first = onLoop(() -> ask(vertx, "one"));
        Future<String> second = onLoop(() -> ask(vertx, "another"));
        Future<String> third = onLoop(() -> ask(vertx, "a third"));
        complete(0, "first");
        assertThat(first.await(5, TimeUnit.SECONDS)).isEqualTo("first");
        awaitMakings(2);
        complete(1, "second");
        awaitMakings(3);
        complete(2, "third");
        assertThat(second.await(5, TimeUnit.SECONDS)).isEqualTo("second");
        assertThat(third.await(5, TimeUnit.SECONDS)).isEqualTo("third");
    }

    @Test
    void onlySoManyDifferentQuestionsWait(Vertx vertx) throws Exception {
        var _ = onLoop(() -> ask(vertx, "is made"));
        for (int i = 0; i < ManagementSharedAnswers.MOST_WAITING; i++) {
            int number = i;
            assertThat(onLoop(() -> ask(vertx, "waits " + number)).isComplete()).isFalse();
        }

        assertThat(onLoop(() -> ask(vertx, "one more")).cause())
                .isInstanceOf(ManagementSharedAnswers.TooManyQuestions.class);
        assertThat(onLoop(() -> ask(vertx, "waits 3")).isComplete()).isFalse();
        assertThat(made).hasSize(1);
    }

    @Test
    void restsForAsLongAsIsWantedAtLeast(Vertx vertx) throws Exception {
        ManagementSharedAnswers<String> slow = new ManagementSharedAnswers<>(200);
        long begin = System.nanoTime();
        var _ = onLoop(() -> slow.ask(vertx, "same", () -> Future.succeededFuture("first")));
        Future<String> second = onLoop(() -> slow.ask(vertx, "same", () -> Future.succeededFuture("second")));

        assertThat(second.await(5, TimeUnit.SECONDS)).isEqualTo("second");
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }

    private Future<String> ask(Vertx vertx, String question) {
        return answers.ask(vertx, question, () -> {
            Promise<String> making = Promise.promise();
            made.add(making);
            return making.future();
        });
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
