package dev.sluice.api;

import dev.sluice.record.DecisionRecord;
import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.RecentDecisions;
import dev.sluice.record.RecordBatch;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Keeps the newest decisions and answers queries about them. It is not thread-safe. */
public final class DecisionsApi {

    /**
     * The number of random characters that are added to the start time of a process, so that two replicas have
     * different ids.
     */
    private static final int RANDOM_LETTERS = 4;

    /**
     * The pages that other replicas have sent.
     *
     * @param documents the body of {@code /api/v1/decisions} of each replica that answered
     * @param missing the replicas that did not answer in time
     */
    public record OtherPages(List<byte[]> documents, List<String> missing) {

        public static final OtherPages NONE = new OtherPages(List.of(), List.of());

        /**
         * The text that is shown in place of the name of a replica whose page cannot be read. Only the page could name
         * the replica.
         */
        static final String UNREADABLE = "a replica whose answer cannot be read";

        public OtherPages {
            documents = List.copyOf(documents);
            missing = List.copyOf(missing);
        }

        /**
         * Returns the same pages without the names of replicas. A replica is named after its pod, and that pod is in
         * another namespace than the client's.
         */
        public OtherPages withoutNames() {
            return new OtherPages(
                    documents, missing.stream().map(_ -> "a replica").toList());
        }

        private DecisionPage joinTo(DecisionPage own, int limit) {
            List<DecisionPage> pages = new ArrayList<>();
            List<String> unanswered = read(pages);
            return own.with(pages, limit, unanswered);
        }

        /** Adds the pages to {@code pages}, and returns the replicas whose pages are missing. */
        private List<String> read(List<DecisionPage> pages) {
            List<String> unanswered = new ArrayList<>(missing);
            for (byte[] document : documents) {
                DecisionPageReader.read(document).ifPresentOrElse(pages::add, () -> unanswered.add(UNREADABLE));
            }
            return unanswered;
        }
    }

    private final RecentDecisions recent = new RecentDecisions();
    private final InstantSource clock;
    private final String epoch;

    public DecisionsApi(InstantSource clock) {
        this.clock = clock;
        this.epoch = Long.toString(clock.millis(), Character.MAX_RADIX) + randomLetters();
    }

    private static String randomLetters() {
        return new SecureRandom()
                .ints(RANDOM_LETTERS, 0, Character.MAX_RADIX)
                .mapToObj(digit -> String.valueOf(Character.forDigit(digit, Character.MAX_RADIX)))
                .collect(Collectors.joining());
    }

    /** Returns the text that identifies this process. The ids of the decisions of this process begin with it. */
    public String epoch() {
        return epoch;
    }

    /** Keeps the decisions of the batch, and returns them with their sequence numbers. */
    public List<NumberedDecisionRecord> keep(RecordBatch batch) {
        List<NumberedDecisionRecord> kept = new ArrayList<>();
        for (ReviewRecord review : batch.records()) {
            switch (review) {
                case DecisionRecord decision -> kept.add(recent.add(decision));
                case PodWithoutGpu _ -> {}
            }
        }
        return kept;
    }

    /** Returns the error for an invalid query. Returns empty if the query is valid. */
    public Optional<ApiAnswer> refusal(Map<String, String> parameters) {
        try {
            var _ = DecisionQuery.of(parameters, clock.instant());
            return Optional.empty();
        } catch (DecisionQuery.BadParameter bad) {
            return Optional.of(refusal(bad));
        }
    }

    private static ApiAnswer refusal(DecisionQuery.BadParameter bad) {
        return ApiAnswer.problem(400, "Bad Request", bad.sentence());
    }

    /**
     * Returns a function that creates the answer to a query, with the pages that other replicas have sent. Any thread
     * may call the function. A long answer takes several milliseconds, so it should not be created on the event loop.
     */
    public Supplier<ApiAnswer> list(Map<String, String> parameters, OtherPages others) {
        try {
            Supplier<DecisionPage> page = page(DecisionQuery.of(parameters, clock.instant()), others);
            return () -> ApiAnswer.of(page.get());
        } catch (DecisionQuery.BadParameter bad) {
            return () -> refusal(bad);
        }
    }

    private Supplier<DecisionPage> page(DecisionQuery query, OtherPages others) {
        List<NumberedDecisionRecord> found = recent.find(query.filter(), query.limit());
        long total = recent.total();
        return () -> others.joinTo(DecisionPage.of(found, total, epoch), query.limit());
    }

    /**
     * Returns a function that creates the answer of {@code /api/v1/flow} to a valid query. Any thread may call the
     * function.
     *
     * @param others the pages of other replicas for the parameters of {@link FlowApi#counted}
     */
    public Supplier<ApiAnswer> flow(Map<String, String> parameters, OtherPages others) {
        Instant now = clock.instant();
        try {
            DecisionQuery query = DecisionQuery.of(FlowApi.counted(parameters), now);
            List<NumberedDecisionRecord> own = recent.find(query.filter(), query.limit());
            return () -> counted(parameters, own, others, now);
        } catch (DecisionQuery.BadParameter bad) {
            return () -> refusal(bad);
        }
    }

    private static ApiAnswer counted(
            Map<String, String> parameters, List<NumberedDecisionRecord> own, OtherPages others, Instant now) {
        List<DecisionPage> pages = new ArrayList<>();
        List<String> missing = others.read(pages);
        try {
            return ApiAnswer.of(FlowApi.count(parameters, own, pages, missing, now));
        } catch (DecisionQuery.BadParameter bad) {
            return refusal(bad);
        }
    }

    /** Returns the parameters that select the newest decision about the review with this uid. */
    public static Map<String, String> newestOf(String uid) {
        return Map.of("uid", uid, "limit", "1");
    }

    /**
     * Returns a function that creates the answer with the newest decision about the review with this uid. Any thread
     * may call the function.
     *
     * @param others the pages of other replicas for the parameters of {@link #newestOf}
     */
    public Supplier<ApiAnswer> one(String uid, OtherPages others) {
        Supplier<DecisionPage> page = page(new DecisionQuery(DecisionQuery.about(uid), 1), others);
        return () -> one(page.get());
    }

    private static ApiAnswer one(DecisionPage page) {
        if (!page.decisions().isEmpty()) {
            return ApiAnswer.ofJson(page.decisions().getFirst().json());
        }
        String silent =
                page.missing().isEmpty() ? "" : "; these replicas did not answer: " + String.join(", ", page.missing());
        return ApiAnswer.problem(
                404,
                "Not Found",
                "no decision with this uid is among the last " + RecentDecisions.MOST + " of each replica" + silent);
    }
}
