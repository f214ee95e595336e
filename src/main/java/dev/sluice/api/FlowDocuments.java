package dev.sluice.api;

import dev.sluice.api.DecisionDocumentQuery.BadParameter;
import dev.sluice.record.NumberedDecisionRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the recent decisions, which the replicas keep in memory, for {@code /api/v1/flow}. */
public final class FlowDocuments {

    private static final List<String> PARAMETERS = List.of("since", "namespace");

    private static final String USUAL_SINCE = "1h";

    private FlowDocuments() {}

    /** Returns the error for an invalid query. Returns empty if the query is valid. */
    public static Optional<DocumentResponse> refusal(Map<String, String> parameters, Instant now) {
        try {
            Optional<String> unknown = DocumentResponse.unknownParameter(parameters.keySet(), PARAMETERS);
            if (unknown.isPresent()) {
                throw new BadParameter(unknown.get());
            }
            var _ = since(parameters, now);
            return Optional.empty();
        } catch (BadParameter bad) {
            return Optional.of(DocumentResponse.problem(400, "Bad Request", bad.sentence()));
        }
    }

    private static Instant since(Map<String, String> parameters, Instant now) throws BadParameter {
        return Instant.ofEpochMilli(DecisionDocumentQuery.since(parameters.getOrDefault("since", USUAL_SINCE), now));
    }

    /**
     * Returns the query parameters for reading the decisions of each replica. They select all namespaces, because only
     * then does a page with fewer decisions than the limit prove that the replica has dropped none.
     */
    public static Map<String, String> counted(Map<String, String> parameters) {
        return Map.of(
                "since",
                parameters.getOrDefault("since", USUAL_SINCE),
                "limit",
                Integer.toString(RecentDecisionRecords.MOST));
    }

    /**
     * Counts the decisions of this replica and the decisions in the pages of other replicas, for a valid query.
     *
     * @param own the decisions of this replica that match the parameters of {@link #counted}. They are records and not
     *     a page, because counting the JSON of a page takes many times as long
     */
    static FlowDocument count(
            Map<String, String> parameters,
            List<NumberedDecisionRecord> own,
            List<DecisionPage> pages,
            List<String> missing,
            Instant now)
            throws BadParameter {
        Instant asked = since(parameters, now);
        Instant since = later(asked, knownSince(own));
        for (DecisionPage page : pages) {
            since = later(since, knownSince(page));
        }
        FlowDocumentCounts count = new FlowDocumentCounts(Optional.ofNullable(parameters.get("namespace")));
        for (NumberedDecisionRecord decision : own) {
            if (!time(decision).isBefore(since)) {
                count.add(decision.decision());
            }
        }
        for (DecisionPage page : pages) {
            for (DecisionDocumentJson decision : page.decisions()) {
                if (!decision.time().isBefore(since)) {
                    count.add(decision);
                }
            }
        }
        return count.document(since, since.isAfter(asked), missing);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }

    private static Instant time(NumberedDecisionRecord decision) {
        return Instant.ofEpochMilli(decision.decision().epochMillis());
    }

    /** Returns the time after which {@code own} contains all decisions of this replica. */
    private static Instant knownSince(List<NumberedDecisionRecord> own) {
        return own.size() >= RecentDecisionRecords.MOST ? time(own.getLast()) : Instant.MIN;
    }

    /** Returns the time after which the page contains all decisions of its replica. */
    private static Instant knownSince(DecisionPage page) {
        boolean isFull = page.leftOut() > 0 || page.decisions().size() >= RecentDecisionRecords.MOST;
        return isFull && !page.decisions().isEmpty()
                ? page.decisions().getLast().time()
                : Instant.MIN;
    }
}
