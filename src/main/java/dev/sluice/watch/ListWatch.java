package dev.sluice.watch;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.codec.Decoded;
import dev.sluice.codec.ListDecoder;
import dev.sluice.codec.ObjectDecoder;
import dev.sluice.codec.Parsers;
import dev.sluice.codec.WatchEvent;
import dev.sluice.codec.WatchEventDecoder;
import java.io.Closeable;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two requests that follow all objects of one kind. Has one owner, as its decoder has. */
final class ListWatch<T> {

    private static final Logger LOG = LoggerFactory.getLogger(ListWatch.class);

    /** As kubectl and client-go page: 500 nodes are some megabytes for the API server to hold at once. */
    private static final int PAGE = 500;

    private final Watched<T> kind;
    private final ApiServer server;
    private final Pace pace;
    private final ObjectDecoder<T> decoder;
    private boolean pagesExpired;

    ListWatch(Watched<T> kind, ApiServer server, Pace pace) {
        this.kind = kind;
        this.server = server;
        this.pace = pace;
        this.decoder = kind.decoder();
    }

    Watched<T> kind() {
        return kind;
    }

    /** All objects at one moment. */
    record Listing<T>(List<T> objects, long resourceVersion) {}

    /**
     * Every page of the list, or nothing. Without a resourceVersion the server answers with what is true now, not with
     * what it once cached.
     */
    Listing<T> list() throws IOException {
        List<T> objects = new ArrayList<>();
        ListDecoder.Page page;
        String token = "";
        try {
            do {
                page = page(token, objects);
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
        return new Listing<>(objects, page.resourceVersion());
    }

    private ListDecoder.Page page(String token, List<T> objects) throws IOException {
        try (BodyStream body = server.get(kind.path() + pageQuery(token), pace.answer());
                JsonParser parser = Parsers.json(body)) {
            return new ListDecoder<>(decoder).read(parser, item -> keep(item, objects));
        }
    }

    /** Where paging took longer than the server remembers, the next attempt takes the list at once. */
    private String pageQuery(String token) {
        if (pagesExpired) {
            return "";
        }
        String next = token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
        return "?limit=" + PAGE + next;
    }

    private void keep(Decoded<T> item, List<T> objects) {
        switch (item) {
            case Decoded.Found<T> found -> objects.add(found.value());
            case Decoded.Ended<T> _ -> {}
            case Decoded.OtherKind<T> other -> warnPassedOver("an object of kind " + other.kind());
            case Decoded.Malformed<T> malformed -> warnPassedOver(malformed.problem());
        }
    }

    static void warnPassedOver(String what) {
        LOG.atWarn().addKeyValue("problem", what).log("An object from the API server is passed over");
    }

    /** What changed after {@code resourceVersion}, as it changes. The server ends it after a while. */
    Stream watch(long resourceVersion) throws IOException {
        long seconds = pace.watch().toSeconds();
        long spread = seconds + ThreadLocalRandom.current().nextLong(seconds + 1);
        return new Stream(server.get(
                kind.path() + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + resourceVersion
                        + "&timeoutSeconds=" + spread,
                pace.silence()));
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
