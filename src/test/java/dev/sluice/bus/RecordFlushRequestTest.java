package dev.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.HoldableVerticle;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who asks for records while a gateway is late. */
class RecordFlushRequestTest {

    private final Vertx vertx = Vertx.vertx();
    private final HoldableVerticle gateway = new HoldableVerticle();

    @BeforeEach
    void install() {
        Topic.install(vertx);
    }

    @AfterEach
    void stop() throws Exception {
        gateway.release();
        var _ = vertx.close().await(10, TimeUnit.SECONDS);
    }

    /** What the owner of a context keeps is touched by no other thread. */
    @Test
    void goesOnInItsOwnContext() throws Exception {
        RecordFlushRequest held =
                new RecordFlushRequest(List.of(vertx.deployVerticle(gateway).await(10, TimeUnit.SECONDS)));
        gateway.hold();
        Context owner = vertx.getOrCreateContext();
        Promise<Context> went = Promise.promise();
        owner.runOnContext(_ -> held.flush(vertx).onComplete(_ -> went.complete(Vertx.currentContext())));

        assertThat(went.future().await(10, TimeUnit.SECONDS)).isSameAs(owner);
    }
}
