package dev.sluice.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerBodyStream;
import dev.sluice.kube.client.ApiServerListPager;
import dev.sluice.kube.client.ApiServerWatchEvent;
import dev.sluice.kube.client.ApiServerWatchEventDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectDecoder;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists and watches all objects of one kind. It is not thread-safe. */
final class ListWatch<T> {

    private final WatchedResource<T> watched;
    private final ApiServer server;
    private final ReflectorTimings timings;
    private final UnreadableObjectTracker unreadable;
    private final ObjectDecoder<T> decoder;
    private final ApiServerListPager<T> pager;

    ListWatch(
            WatchedResource<T> watched,
            ApiServer server,
            ReflectorTimings timings,
            UnreadableObjectTracker unreadable) {
        this.watched = watched;
        this.server = server;
        this.timings = timings;
        this.unreadable = unreadable;
        this.decoder = watched.decoders().get();
        this.pager = new ApiServerListPager<>(
                server, watched.resource(), decoder, timings.timeouts().list());
    }

    ReflectorTimings timings() {
        return timings;
    }

    /** Returns the malformed objects of the last list and of the watch since then. */
    UnreadableObjectTracker unreadable() {
        return unreadable;
    }

    WatchedResource<T> watched() {
        return watched;
    }

    /** Lists the objects and passes every page to the handler. The handler is completed only after the last page. */
    ApiServerListPager.Listed list(WatchedResource.ListHandler<T> listing) throws IOException {
        unreadable.listBegins();
        ApiServerListPager.Listed listed = pager.list(listing::page, this::passOver);
        if (listed.resourceVersion() == 0) {
            throw new IOException("the list has no resourceVersion");
        }
        unreadable.listEnds();
        listing.complete(listed.resourceVersion());
        return listed;
    }

    private void passOver(ObjectDecodeResult<T> item) {
        switch (item) {
            case ObjectDecodeResult.Found<T> _, ObjectDecodeResult.Ended<T> _ -> {}
            case ObjectDecodeResult.OtherKind<T> other -> unreadable.log("an object of kind " + other.kind());
            case ObjectDecodeResult.Malformed<T> malformed ->
                unreadable.inList(malformed.object(), malformed.problem());
        }
    }

    /** Opens a watch for the changes after {@code resourceVersion}. The server ends the watch after some time. */
    WatchStream watch(long resourceVersion) throws IOException {
        return new WatchStream(server.get(
                watched.resource()
                        .pathAndQuery("watch=true&allowWatchBookmarks=true&resourceVersion=" + resourceVersion
                                + "&timeoutSeconds=" + timings.watchDuration().toSeconds()),
                timings.timeouts().response(),
                timings.timeouts().watchIdle()));
    }

    final class WatchStream implements Closeable {
        private final ApiServerBodyStream body;
        private final ApiServerWatchEventDecoder<T> events = new ApiServerWatchEventDecoder<>(decoder);
        private @Nullable JsonParser parser;

        WatchStream(ApiServerBodyStream body) {
            this.body = body;
        }

        /** Returns the next event. Returns empty if the server has ended the watch. */
        Optional<ApiServerWatchEvent<T>> next() throws IOException {
            if (parser == null) {
                // The constructor of the parser reads the first bytes, so it waits for the first event. Therefore the
                // parser is created here and not when the watch is opened.
                parser = JsonParsers.json(body);
            }
            return events.next(parser);
        }

        @Override
        public void close() {
            body.close();
        }
    }
}
