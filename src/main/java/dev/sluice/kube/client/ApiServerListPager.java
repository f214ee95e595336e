package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonParsers;
import dev.sluice.kube.decode.ListDecoder;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectDecoder;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Lists all objects of a resource page by page. It is not thread-safe. */
public final class ApiServerListPager<T> {

    /**
     * The number of objects in a page, as in kubectl and client-go. Pages are limited because the API server keeps a
     * page in memory.
     */
    private static final int PAGE = 500;

    private final ApiServer server;
    private final ApiResource resource;
    private final ObjectDecoder<T> decoder;
    private final ListTimeouts timeouts;
    private boolean pagesExpired;

    public ApiServerListPager(ApiServer server, ApiResource resource, ObjectDecoder<T> decoder, ListTimeouts timeouts) {
        this.server = server;
        this.resource = resource;
        this.decoder = decoder;
        this.timeouts = timeouts;
    }

    /**
     * The time limits for the API server.
     *
     * @param page the maximum time until a page begins, and between two parts of a page
     * @param wholeList the same limit for a list that is requested without pages
     */
    public record ListTimeouts(Duration page, Duration wholeList) {}

    /**
     * The number of objects in a complete list, and the resourceVersion of the list. The resourceVersion is 0 if it is
     * not a number.
     */
    public record Listed(int objects, long resourceVersion) {}

    /**
     * Lists all objects. Valid objects are passed to {@code pages} in pages. Invalid objects, objects of other kinds
     * and ended pods are passed to {@code others}, one at a time. The request has no resourceVersion, so the API server
     * answers with the current state and not with the state of its cache. If this method fails, the caller has to
     * discard the objects that it has received.
     */
    public Listed list(Consumer<List<T>> pages, Consumer<ObjectDecodeResult<T>> others) throws IOException {
        PageCollector<T> collector = new PageCollector<>(pages, others);
        ListDecoder.ListPage page;
        String token = "";
        try {
            do {
                page = page(token, collector);
                token = page.continueToken();
            } while (!token.isEmpty());
        } catch (ApiFailure failure) {
            pagesExpired |= failure.isExpired() && !token.isEmpty();
            throw failure;
        }
        pagesExpired = false;
        return new Listed(collector.objects, page.resourceVersion());
    }

    private ListDecoder.ListPage page(String token, PageCollector<T> collector) throws IOException {
        Duration timeout = pagesExpired ? timeouts.wholeList() : timeouts.page();
        try (ApiServerBodyStream body = server.get(resource.pathAndQuery(parameters(token)), timeout, timeout);
                JsonParser parser = JsonParsers.json(body)) {
            ListDecoder.ListPage page = new ListDecoder<>(decoder).read(parser, collector::item);
            collector.flush();
            return page;
        }
    }

    /**
     * Returns the query parameters of the next request. The API server accepts a continue token only for a limited
     * time. If the token expires before the last page, the next attempt requests the whole list without pages.
     */
    private String parameters(String token) {
        if (pagesExpired) {
            return "";
        }
        String next = token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
        return "limit=" + PAGE + next;
    }

    /** Splits the received objects into pages of limited size, even if the server sends the whole list at once. */
    private static final class PageCollector<T> {
        private final Consumer<List<T>> pages;
        private final Consumer<ObjectDecodeResult<T>> others;
        private List<T> page = new ArrayList<>();
        private int objects;

        PageCollector(Consumer<List<T>> pages, Consumer<ObjectDecodeResult<T>> others) {
            this.pages = pages;
            this.others = others;
        }

        void item(ObjectDecodeResult<T> item) {
            if (item instanceof ObjectDecodeResult.Found<T> found) {
                page.add(found.value());
            } else {
                others.accept(item);
            }
            if (page.size() == PAGE) {
                flush();
            }
        }

        void flush() {
            if (!page.isEmpty()) {
                pages.accept(page);
                objects += page.size();
                page = new ArrayList<>();
            }
        }
    }
}
