package dev.sluice.cli;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of the gateway's answer to the browser, piece by piece. The next piece is read only after the
 * previous one was written to the socket, so little memory is needed even if the browser does not read.
 */
final class BrowserBodyRelay implements Flow.Subscriber<List<ByteBuffer>> {

    private final HttpServerResponse response;
    private final Context loop;
    private Flow.@Nullable Subscription body;

    BrowserBodyRelay(HttpServerResponse response, Context loop) {
        this.response = response;
        this.loop = loop;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        body = subscription;
        loop.runOnContext(_ -> {
            if (response.closed()) {
                subscription.cancel();
            } else {
                response.closeHandler(_ -> subscription.cancel());
                subscription.request(1);
            }
        });
    }

    @Override
    public void onNext(List<ByteBuffer> piece) {
        Buffer bytes = Buffer.buffer();
        for (ByteBuffer part : piece) {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            var _ = bytes.appendBytes(copy);
        }
        loop.runOnContext(_ -> response.write(bytes).onComplete(written -> {
            if (written.succeeded()) {
                request();
            }
        }));
    }

    private void request() {
        if (body != null) {
            body.request(1);
        }
    }

    @Override
    public void onComplete() {
        loop.runOnContext(_ -> {
            var _ = response.end();
        });
    }

    /**
     * Closes the connection to the browser, so that the browser does not mistake a part of an answer for the whole
     * answer.
     */
    @Override
    public void onError(Throwable failure) {
        loop.runOnContext(_ -> {
            var _ = response.reset();
        });
    }
}
