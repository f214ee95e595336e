package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WarmUpTest {

    /** A gateway that cannot be reached, and says when it is closed. */
    private record Broken(CountDownLatch closed, Future<HttpClientOptions> listening) implements WarmUpTarget {

        @Override
        public Vertx open() {
            return Vertx.vertx();
        }

        @Override
        public Future<HttpClientOptions> listen(Vertx stage) {
            return listening;
        }

        @Override
        public Future<?> close(Vertx stage) {
            closed.countDown();
            return stage.close();
        }
    }

    private static void assertIsOver(Future<HttpClientOptions> listening) throws Exception {
        Broken gateway = new Broken(new CountDownLatch(1), listening);
        Future<Integer> answered = WarmUp.run(gateway, Set.of(), 10, Duration.ofMillis(10));
        assertThat(answered.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isZero();
        assertThat(gateway.closed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void isOverWhenItsGatewayCannotBeOpened() throws Exception {
        WarmUpTarget gateway = new WarmUpTarget() {
            @Override
            public Vertx open() {
                throw new IllegalStateException("there are no threads");
            }

            @Override
            public Future<HttpClientOptions> listen(Vertx stage) {
                return Future.failedFuture("it is not open");
            }

            @Override
            public Future<?> close(Vertx stage) {
                return Future.succeededFuture();
            }
        };
        assertThat(WarmUp.run(gateway, Set.of(), 10, Duration.ofMillis(10))
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .isZero();
    }

    @Test
    void isOverWhenItsGatewayCannotListen() throws Exception {
        assertIsOver(Future.failedFuture("there is no port"));
    }

    @Test
    void isOverWhenItsGatewayCannotBeReached() throws Exception {
        assertIsOver(Future.succeededFuture(
                new HttpClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(1)));
    }

    @Test
    void isOverWhenItsGatewayNeverListens() throws Exception {
        assertIsOver(Promise.<HttpClientOptions>promise().future());
    }
}
