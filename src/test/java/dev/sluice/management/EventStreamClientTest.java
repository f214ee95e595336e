package dev.sluice.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiEventEncoder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client of the stream on a slow line. */
class EventStreamClientTest {

    /** The socket, whose queue is as full as a test says. */
    private static final class Socket {
        private boolean full;
        private @Nullable Handler<?> drain;

        HttpServerResponse response() {
            return of(HttpServerResponse.class, (self, method, argument) -> switch (method) {
                case "setWriteQueueMaxSize" -> self;
                case "drainHandler" -> {
                    drain = (Handler<?>) argument;
                    yield self;
                }
                case "writeQueueFull" -> full;
                case "write" -> Future.succeededFuture();
                default -> throw new AssertionError(method);
            });
        }

        void drain() {
            full = false;
            Objects.requireNonNull(drain).handle(null);
        }
    }

    private interface Answer {
        Object to(Object self, String method, @Nullable Object argument);
    }

    private static <T> T of(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) ->
                        answer.to(self, method.getName(), arguments == null ? null : arguments[0])));
    }

    private final Socket socket = new Socket();
    private final EventStreamClient client = new EventStreamClient(
            "127.0.0.1",
            new StreamQuery(Optional.empty(), /* isOfTenant= */ false, Optional.empty(), OptionalInt.empty()),
            socket.response(),
            new RecentRecordedEvents(),
            new EncodedStreamEvents(new ApiEventEncoder("p")),
            of(Context.class, (_, method, _) -> {
                throw new AssertionError(method);
            }));

    @Test
    void aClientThatReadsBetweenTwoHeartbeatsIsKeptThoughItsSocketIsFullAtBoth() {
        socket.full = true;
        assertThat(client.heartbeat()).isTrue();
        socket.drain();
        socket.full = true;
        assertThat(client.heartbeat()).isTrue();
    }

    @Test
    void aClientThatReadsNothingBetweenTwoHeartbeatsIsNot() {
        socket.full = true;
        assertThat(client.heartbeat()).isTrue();
        assertThat(client.heartbeat()).isFalse();
    }
}
