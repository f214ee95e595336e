package dev.sluice.api;

import dev.sluice.record.DecisionRecord;
import dev.sluice.record.NumberedDecisionRecord;
import dev.sluice.record.RecentDecisions;
import dev.sluice.record.RecordBatch;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.ReviewRecord.PodWithoutGpu;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Keeps the newest decisions and answers queries about them. It is not thread-safe. */
public final class DecisionsApi {

    private final RecentDecisions recent = new RecentDecisions();
    private final InstantSource clock;
    private final String epoch;

    public DecisionsApi(InstantSource clock) {
        this.clock = clock;
        this.epoch = Long.toString(clock.millis(), Character.MAX_RADIX);
    }

    /** Returns the text that identifies this process. The ids of the decisions of this process begin with it. */
    public String epoch() {
        return epoch;
    }

    /** Keeps the decisions of the batch, and returns them with their numbers. */
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
     * Returns a function that creates the answer to a query. Any thread may call the function. A long answer takes
     * several milliseconds, so it should not be created on the event loop.
     */
    public Supplier<ApiAnswer> list(Map<String, String> parameters) {
        DecisionQuery query;
        try {
            query = DecisionQuery.of(parameters, clock.instant());
        } catch (DecisionQuery.BadParameter bad) {
            return () -> refusal(bad);
        }
        List<NumberedDecisionRecord> found = recent.find(query.filter(), query.limit());
        long total = recent.total();
        return () -> ApiAnswer.of(DecisionPage.of(found, total, epoch));
    }

    /** Returns the newest decision about the review with this uid. */
    public ApiAnswer one(String uid) {
        return recent.byUid(uid)
                .map(kept -> ApiAnswer.of(DecisionDocument.of(kept, epoch)))
                .orElseGet(() -> ApiAnswer.problem(
                        404,
                        "Not Found",
                        "no decision with this uid is among the last " + RecentDecisions.MOST + " of this replica"));
    }
}
