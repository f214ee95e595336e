package dev.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.sluice.log.LogLines;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A clean stop says nothing of messages that came too late for a verticle that has ended. */
class LateMessageTest {

    private final Vertx vertx = Vertx.vertx();
    private final Logger log = (Logger) LoggerFactory.getLogger("io.vertx.core.eventbus");
    private final LogLines lines = new LogLines();

    @BeforeEach
    void listen() {
        log.addAppender(lines);
        Topic.install(vertx);
    }

    @AfterEach
    void close() throws Exception {
        log.detachAppender(lines);
        var _ = vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** The message is published while the loop of its consumer is busy with the consumer's removal. */
    @Test
    void whatWasOnItsWayToAConsumerThatIsRemovedIsDroppedSilently() throws Exception {
        List<Topic.Stopping> seen = new ArrayList<>();
        CompletableFuture<Void> removed = new CompletableFuture<>();
        Context loop = vertx.getOrCreateContext();
        loop.runOnContext(_ -> {
            MessageConsumer<Topic.Stopping> consumer = Topic.STOPPING.subscribe(vertx, seen::add);
            Topic.STOPPING.publish(vertx, new Topic.Stopping());
            var _ = consumer.unregister();
            loop.runOnContext(_ -> loop.runOnContext(_ -> removed.complete(null)));
        });

        var _ = removed.get(10, TimeUnit.SECONDS);

        assertThat(seen).isEmpty();
        assertThat(lines.list).isEmpty();
    }
}
