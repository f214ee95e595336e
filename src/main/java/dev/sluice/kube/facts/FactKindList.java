package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.kube.client.ApiFailure;
import dev.sluice.kube.client.ApiResource;
import dev.sluice.kube.client.ApiServer;
import dev.sluice.kube.client.ApiServerBodyStream;
import dev.sluice.kube.client.ApiServerConnectionFailure;
import dev.sluice.kube.client.ApiServerListPager;
import dev.sluice.kube.decode.ObjectDecodeResult;
import dev.sluice.kube.decode.ObjectDecoder;
import dev.sluice.kube.facts.ItemReader.ReadItem;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Lists all objects of one kind. If the list fails, none of its objects is kept.
 *
 * @param budget the memory limit for the facts of all kinds together
 */
record FactKindList(
        ApiServer server, ClusterFactKind kind, FactListProgress progress, Keeping keeping, FactBudget budget) {

    /**
     * Determines what is kept of each object: only the facts ({@code FACTS}), or also the object itself, for a file
     * ({@code ITEMS}).
     */
    enum Keeping {
        ITEMS,
        FACTS
    }

    /**
     * The time after which a request is ended if the API server sends nothing. A longer time would be of no use,
     * because the API server itself ends a request after a minute.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The result of the list: either the facts and items, or the reason why there are none. */
    sealed interface KindResult {
        record KindListed(ClusterFactKind kind, FactsCollector facts, CollectedItems items) implements KindResult {}

        /**
         * The list could not be read.
         *
         * @param why the reason as a clause
         */
        record KindFailed(ClusterFactKind kind, String why) implements KindResult {}
    }

    /** Reads the list, and blocks until it has ended. */
    KindResult read() {
        try {
            for (ApiResource place : FactKindPaths.of(kind)) {
                try {
                    return read(place);
                } catch (ApiFailure failed) {
                    if (!failed.isNotFound()) {
                        throw failed;
                    }
                }
            }
            return new KindResult.KindFailed(kind, UnreadObject.NOT_SERVED);
        } catch (ApiFailure failed) {
            return new KindResult.KindFailed(
                    kind,
                    failed.isForbidden()
                            ? "This account may not list them"
                            : "They could not be listed (" + failed.summary() + ")");
        } catch (IOException failed) {
            return new KindResult.KindFailed(kind, "They could not be listed (" + reason(failed) + ")");
        }
    }

    /**
     * Reads the list. If the list expires on the server because the pages took too long, a second attempt reads all
     * objects in one request.
     */
    private KindResult read(ApiResource place) throws IOException {
        KindDecoder items = new KindDecoder(kind, keeping, budget);
        ApiServerListPager<ClusterFactKind> pager =
                new ApiServerListPager<>(server, place, items, new ApiServerListPager.ListTimeouts(PATIENCE, PATIENCE));
        try {
            return read(pager, items);
        } catch (ApiFailure failed) {
            if (!failed.isExpired()) {
                items.facts.discard();
                throw failed;
            }
            return read(pager, items);
        }
    }

    private KindResult read(ApiServerListPager<ClusterFactKind> pager, KindDecoder items) throws IOException {
        items.restart();
        int[] count = {0};
        var _ = pager.list(
                page -> {
                    count[0] += page.size();
                    progress.read(kind, count[0]);
                },
                _ -> {});
        items.facts.listed(kind);
        return new KindResult.KindListed(kind, items.facts, items.collected);
    }

    private static String reason(IOException failed) {
        return failed instanceof ApiServerBodyStream.IdleTimeout || failed.getCause() instanceof TimeoutException
                ? "no answer within " + PATIENCE.toSeconds() + " s"
                : ApiServerConnectionFailure.reason(failed);
    }

    /** Collects each item as it is read, so that no page of records is kept in memory. */
    private static final class KindDecoder implements ObjectDecoder<ClusterFactKind> {
        private final ClusterFactKind kind;
        private final Keeping keeping;
        private final FactBudget budget;
        private FactsCollector facts;
        private CollectedItems collected = new CollectedItems();

        KindDecoder(ClusterFactKind kind, Keeping keeping, FactBudget budget) {
            this.kind = kind;
            this.keeping = keeping;
            this.budget = budget;
            facts = fresh();
        }

        private FactsCollector fresh() {
            return new FactsCollector(budget, /* copies= */ keeping == Keeping.ITEMS ? 2 : 1);
        }

        void restart() {
            facts.discard();
            facts = fresh();
            collected = new CollectedItems();
        }

        @Override
        public ObjectDecodeResult<ClusterFactKind> decode(JsonParser parser) throws IOException {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new IOException("an item of the list of " + kind.plural() + " is no object");
            }
            if (facts.read(parser, kind.kind(), kind.apiVersion()) instanceof ReadItem.KnownItem(var _, var item)
                    && keeping == Keeping.ITEMS) {
                collected.add(item);
            }
            return new ObjectDecodeResult.Found<>(kind.kind(), kind);
        }
    }
}
