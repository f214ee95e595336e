package dev.sluice.api;

import dev.sluice.api.DecisionDocumentQuery.BadParameter;
import dev.sluice.bus.SummaryQuestion;
import dev.sluice.bus.SummaryReply;
import dev.sluice.record.DecisionTally;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the query of {@code /api/v1/decisions/summary} and makes the answer. */
public final class SummaryDocuments {

    private static final List<String> PARAMETERS = List.of("since", "namespace", "enforcement");

    private SummaryDocuments() {}

    /** Returns the error for an invalid query. Returns empty if the query is valid. */
    public static Optional<DocumentResponse> refusal(Map<String, String> parameters, Instant now) {
        try {
            var _ = since(parameters, now);
            var _ = DecisionDocumentQuery.enforcement(parameters);
            return Optional.empty();
        } catch (BadParameter bad) {
            return Optional.of(DocumentResponse.problem(400, "Bad Request", bad.sentence()));
        }
    }

    /**
     * Returns the request for the counts that answer a valid query. Without the parameter {@code since}, it asks for
     * the last seven days.
     */
    public static SummaryQuestion question(Map<String, String> parameters, Instant now) {
        try {
            return new SummaryQuestion(since(parameters, now));
        } catch (BadParameter bad) {
            throw new IllegalArgumentException(bad);
        }
    }

    private static Instant since(Map<String, String> parameters, Instant now) throws BadParameter {
        Optional<String> unknown = DocumentResponse.unknownParameter(parameters.keySet(), PARAMETERS);
        if (unknown.isPresent()) {
            throw new BadParameter(unknown.get());
        }
        String since = parameters.get("since");
        return since == null
                ? now.minus(DecisionTally.KEPT)
                : Instant.ofEpochMilli(DecisionDocumentQuery.since(since, now));
    }

    /** Returns the answer to a valid query. */
    public static DocumentResponse answer(SummaryReply reply, Map<String, String> parameters) {
        try {
            return DocumentResponse.of(SummaryDocument.of(
                    reply,
                    Optional.ofNullable(parameters.get("namespace")),
                    DecisionDocumentQuery.enforcement(parameters)));
        } catch (BadParameter bad) {
            throw new IllegalArgumentException(bad);
        }
    }
}
