package dev.sluice.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.Parsers;
import dev.sluice.kube.list.Decoded;
import dev.sluice.kube.list.ObjectDecoder;
import dev.sluice.kube.list.WatchEvent;
import dev.sluice.kube.list.WatchEventDecoder;
import dev.sluice.kube.transport.ApiServer;
import dev.sluice.kube.transport.BodyStream;
import dev.sluice.kube.transport.ListPager;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two requests that follow all objects of one kind. Has one owner, as its decoder has. */
final class ListWatch<T> {

    private final Watched<T> kind;
    private final ApiServer server;
    private final Pace pace;
    private final Unread unread;
    private final ObjectDecoder<T> decoder;
    private final ListPager<T> pager;

    ListWatch(Watched<T> kind, ApiServer server, Pace pace, Unread unread) {
        this.kind = kind;
        this.server = server;
        this.pace = pace;
        this.unread = unread;
        this.decoder = kind.decoder();
        this.pager = new ListPager<>(
                server, kind.resource(), decoder, pace.patience().list());
    }

    Pace pace() {
        return pace;
    }

    /** What could not be read of the last list and of what was told since. */
    Unread unread() {
        return unread;
    }

    Watched<T> kind() {
        return kind;
    }

    /** Tells every page of the list, and only after the last that it is complete. */
    ListPager.Listed list(Watched.Listing<T> listing) throws IOException {
        unread.listBegins();
        ListPager.Listed listed = pager.list(listing::page, this::passOver);
        if (listed.resourceVersion() == 0) {
            throw new IOException("the list has no resourceVersion");
        }
        unread.listEnds();
        listing.complete(listed.resourceVersion());
        return listed;
    }

    private void passOver(Decoded<T> item) {
        switch (item) {
            case Decoded.Found<T> _, Decoded.Ended<T> _ -> {}
            case Decoded.OtherKind<T> other -> unread.unknown("an object of kind " + other.kind());
            case Decoded.Malformed<T> malformed -> unread.ofList(malformed.object(), malformed.problem());
        }
    }

    /** What changed after {@code resourceVersion}, as it changes. The server ends it after a while. */
    Stream watch(long resourceVersion) throws IOException {
        return new Stream(server.get(
                kind.resource()
                        .pathAndQuery("watch=true&allowWatchBookmarks=true&resourceVersion=" + resourceVersion
                                + "&timeoutSeconds=" + pace.watch().toSeconds()),
                pace.patience().answer(),
                pace.patience().event()));
    }

    final class Stream implements Closeable {
        private final BodyStream body;
        private final WatchEventDecoder<T> events = new WatchEventDecoder<>(decoder);
        private @Nullable JsonParser parser;

        Stream(BodyStream body) {
            this.body = body;
        }

        /** The next event, or empty when the server has ended the watch. */
        Optional<WatchEvent<T>> next() throws IOException {
            if (parser == null) {
                // Looks at the first bytes, so it waits for the first event.
                parser = Parsers.json(body);
            }
            return events.next(parser);
        }

        @Override
        public void close() {
            body.close();
        }
    }
}
