package dev.sluice.api;

import dev.sluice.record.DecisionRecord;
import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import dev.sluice.record.ReviewRecordBatch;
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
public final class DecisionDocuments {

    /**
     * The number of random characters in the {@link #epoch} of a process. They distinguish replicas that start at the
     * same time.
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
         * The text that is shown in place of the name of a replica whose page cannot be read. Only a readable page
         * contains the name.
         */
        static final String UNREADABLE = "a replica whose answer cannot be read";

        public OtherPages {
            documents = List.copyOf(documents);
            missing = List.copyOf(missing);
        }

        /**
         * Returns the same pages without the names of replicas, which are names of pods. It is for clients that may
         * read about one namespace only, because the replicas run in another namespace.
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

        /**
         * Decodes the documents into {@code pages}. Returns the replicas that did not answer or whose answer cannot be
         * read.
         */
        private List<String> read(List<DecisionPage> pages) {
            List<String> unanswered = new ArrayList<>(missing);
            for (byte[] document : documents) {
                DecisionDocumentReader.read(document).ifPresentOrElse(pages::add, () -> unanswered.add(UNREADABLE));
            }
            return unanswered;
        }
    }

    private final RecentDecisionRecords recent = new RecentDecisionRecords();
    private final InstantSource clock;
    private final String epoch;

    public DecisionDocuments(InstantSource clock) {
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
    public List<NumberedDecisionRecord> keep(ReviewRecordBatch batch) {
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
    public Optional<DocumentResponse> refusal(Map<String, String> parameters) {
        try {
            var _ = DecisionDocumentQuery.of(parameters, clock.instant());
            return Optional.empty();
        } catch (DecisionDocumentQuery.BadParameter bad) {
            return Optional.of(refusal(bad));
        }
    }

    private static DocumentResponse refusal(DecisionDocumentQuery.BadParameter bad) {
        return DocumentResponse.problem(400, "Bad Request", bad.sentence());
    }

    /**
     * Returns a function that creates the answer to a query, with the pages that other replicas have sent. Any thread
     * may call the function. A long answer takes several milliseconds, so it should not be created on the event loop.
     */
    public Supplier<DocumentResponse> list(Map<String, String> parameters, OtherPages others) {
        try {
            Supplier<DecisionPage> page = page(DecisionDocumentQuery.of(parameters, clock.instant()), others);
            return () -> DocumentResponse.of(page.get());
        } catch (DecisionDocumentQuery.BadParameter bad) {
            return () -> refusal(bad);
        }
    }

    private Supplier<DecisionPage> page(DecisionDocumentQuery query, OtherPages others) {
        List<NumberedDecisionRecord> found = recent.find(query.filter(), query.limit());
        long total = recent.total();
        return () -> others.joinTo(DecisionPage.of(found, total, epoch), query.limit());
    }

    /**
     * Returns a function that creates the answer of {@code /api/v1/flow} to a valid query. Any thread may call the
     * function.
     *
     * @param others the answers of other replicas to the query {@link FlowDocuments#counted}
     */
    public Supplier<DocumentResponse> flow(Map<String, String> parameters, OtherPages others) {
        Instant now = clock.instant();
        try {
            DecisionDocumentQuery query = DecisionDocumentQuery.of(FlowDocuments.counted(parameters), now);
            List<NumberedDecisionRecord> own = recent.find(query.filter(), query.limit());
            return () -> counted(parameters, own, others, now);
        } catch (DecisionDocumentQuery.BadParameter bad) {
            return () -> refusal(bad);
        }
    }

    private static DocumentResponse counted(
            Map<String, String> parameters, List<NumberedDecisionRecord> own, OtherPages others, Instant now) {
        List<DecisionPage> pages = new ArrayList<>();
        List<String> missing = others.read(pages);
        try {
            return DocumentResponse.of(FlowDocuments.count(parameters, own, pages, missing, now));
        } catch (DecisionDocumentQuery.BadParameter bad) {
            return refusal(bad);
        }
    }

    /** Returns the query parameters that select the newest decision about the review with this uid. */
    public static Map<String, String> newestOf(String uid) {
        return Map.of("uid", uid, "limit", "1");
    }

    /**
     * Returns a function that creates the answer with the newest decision about the review with this uid. Any thread
     * may call the function.
     *
     * @param others the answers of other replicas to the query {@link #newestOf}
     */
    public Supplier<DocumentResponse> one(String uid, OtherPages others) {
        Supplier<DecisionPage> page = page(new DecisionDocumentQuery(DecisionDocumentQuery.about(uid), 1), others);
        return () -> one(page.get());
    }

    private static DocumentResponse one(DecisionPage page) {
        if (!page.decisions().isEmpty()) {
            return DocumentResponse.ofJson(page.decisions().getFirst().json());
        }
        String silent =
                page.missing().isEmpty() ? "" : "; these replicas did not answer: " + String.join(", ", page.missing());
        return DocumentResponse.problem(
                404,
                "Not Found",
                "no decision with this uid is among the last " + RecentDecisionRecords.MOST + " of each replica"
                        + silent);
    }
}
