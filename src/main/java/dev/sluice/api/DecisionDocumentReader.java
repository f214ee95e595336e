package dev.sluice.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads the page of decisions that another replica has sent. A page that exceeds a limit is refused as a whole. Text is
 * escaped again, so that it cannot control a terminal. Fields of a decision that this release does not know are kept.
 */
final class DecisionDocumentReader {

    /** The maximum size of a decision in bytes. Decisions about hostile pods have about 100 KB. */
    static final int MOST_DECISION_BYTES = 256 * 1_024;

    private static final JsonFactory JSON = new JsonFactory();

    private final byte[] document;
    private final JsonParser json;
    private final List<DecisionDocumentJson> decisions = new ArrayList<>();
    private long total;
    private int leftOut;

    private DecisionDocumentReader(byte[] document, JsonParser json) {
        this.document = document;
        this.json = json;
    }

    /** Reads a page. Returns empty if it is not a page of decisions, or if it is too large. */
    static Optional<DecisionPage> read(byte[] document) {
        if (document.length > DecisionPage.MOST_BYTES) {
            return Optional.empty();
        }
        try (JsonParser json = JSON.createParser(document)) {
            return Optional.of(new DecisionDocumentReader(document, json).page());
        } catch (IOException | DateTimeException unusable) {
            return Optional.empty();
        }
    }

    private DecisionPage page() throws IOException {
        expect(JsonToken.START_OBJECT);
        for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
            json.nextToken();
            switch (field) {
                case "total" -> total = Math.max(0, json.getLongValue());
                case "leftOut" -> leftOut = Math.max(0, json.getIntValue());
                case "decisions" -> decisions();
                default -> json.skipChildren();
            }
        }
        if (json.nextToken() != null) {
            throw new IOException("the document goes on after its end");
        }
        return new DecisionPage(total, decisions, leftOut, List.of());
    }

    private void expect(JsonToken token) throws IOException {
        if (json.nextToken() != token) {
            throw new IOException("the document is not a page of decisions");
        }
    }

    private void decisions() throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw new IOException("the decisions are not a list");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_OBJECT || decisions.size() == RecentDecisionRecords.MOST) {
                throw new IOException("the decisions are not objects, or too many");
            }
            int from = (int) json.currentTokenLocation().getByteOffset();
            json.skipChildren();
            int to = (int) json.currentLocation().getByteOffset();
            if (to - from > MOST_DECISION_BYTES) {
                throw new IOException("a decision is too long");
            }
            decisions.add(decision(ApiJson.tree(Arrays.copyOfRange(document, from, to))));
        }
    }

    private static DecisionDocumentJson decision(JsonNode decision) throws IOException {
        if (!decision.path("id").isTextual() || !decision.path("time").isTextual()) {
            throw new IOException("a decision has no id or no time");
        }
        return new DecisionDocumentJson(
                decision.path("id").asText(),
                Instant.parse(decision.path("time").asText()),
                ApiJson.text(decision));
    }
}
