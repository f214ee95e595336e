package dev.sluice.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.Parsers;
import dev.sluice.kube.list.Decoded;
import dev.sluice.kube.list.ListDecoder;
import dev.sluice.kube.list.ObjectDecoder;
import dev.sluice.kube.list.WatchEvent;
import dev.sluice.kube.list.WatchEventDecoder;
import dev.sluice.kube.transport.ApiFailure;
import dev.sluice.kube.transport.ApiServer;
import dev.sluice.kube.transport.BodyStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two requests that follow all objects of one kind. Has one owner, as its decoder has. */
final class ListWatch<T> {

    /** As kubectl and client-go page: 500 nodes are some megabytes for the API server to hold at once. */
    private static final int PAGE = 500;

    private final Watched<T> kind;
    private final ApiServer server;
    private final Pace pace;
    private final Unread unread;
    private final ObjectDecoder<T> decoder;
    private boolean pagesExpired;

    ListWatch(Watched<T> kind, ApiServer server, Pace pace, Unread unread) {
        this.kind = kind;
        this.server = server;
        this.pace = pace;
        this.unread = unread;
        this.decoder = kind.decoder();
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

    /** What was told: how many objects, and as they were when. */
    record Listed(int objects, long resourceVersion) {}

    /**
     * Tells every page of the list, and only after the last that it is complete. Without a resourceVersion the server
     * answers with what is true now, not with what it once cached.
     */
    Listed list(Watched.Listing<T> listing) throws IOException {
        Batches batches = new Batches(listing);
        unread.listBegins();
        ListDecoder.ListPage page;
        String token = "";
        try {
            do {
                page = page(token, batches);
                token = page.continueToken();
            } while (!token.isEmpty());
        } catch (ApiFailure failure) {
            pagesExpired |= failure.isExpired() && !token.isEmpty();
            throw failure;
        }
        pagesExpired = false;
        if (page.resourceVersion() == 0) {
            throw new IOException("the list has no resourceVersion");
        }
        unread.listEnds();
        listing.complete(page.resourceVersion());
        return new Listed(batches.objects, page.resourceVersion());
    }

    private ListDecoder.ListPage page(String token, Batches batches) throws IOException {
        Duration patience =
                pagesExpired ? pace.patience().whole() : pace.patience().page();
        try (BodyStream body = server.get(kind.pathAndQuery() + pageQuery(token), patience, patience);
                JsonParser parser = Parsers.json(body)) {
            ListDecoder.ListPage page = new ListDecoder<>(decoder).read(parser, batches::item);
            batches.tell();
            return page;
        }
    }

    /** Where paging took longer than the server remembers, the next attempt takes the list at once. */
    private String pageQuery(String token) {
        if (pagesExpired) {
            return "";
        }
        String next = token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
        return "&limit=" + PAGE + next;
    }

    /** Cuts what comes into pages of bounded size, also where the server sends everything at once. */
    private final class Batches {
        private final Watched.Listing<T> listing;
        private List<T> batch = new ArrayList<>();
        private int objects;

        Batches(Watched.Listing<T> listing) {
            this.listing = listing;
        }

        void item(Decoded<T> item) {
            switch (item) {
                case Decoded.Found<T> found -> add(found.value());
                case Decoded.Ended<T> _ -> {}
                case Decoded.OtherKind<T> other -> unread.unknown("an object of kind " + other.kind());
                case Decoded.Malformed<T> malformed -> unread.ofList(malformed.object(), malformed.problem());
            }
        }

        private void add(T object) {
            batch.add(object);
            if (batch.size() == PAGE) {
                tell();
            }
        }

        void tell() {
            if (!batch.isEmpty()) {
                listing.page(batch);
                objects += batch.size();
                batch = new ArrayList<>();
            }
        }
    }

    /** What changed after {@code resourceVersion}, as it changes. The server ends it after a while. */
    Stream watch(long resourceVersion) throws IOException {
        return new Stream(server.get(
                kind.pathAndQuery() + "&watch=true&allowWatchBookmarks=true&resourceVersion=" + resourceVersion
                        + "&timeoutSeconds=" + pace.watch().toSeconds(),
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
