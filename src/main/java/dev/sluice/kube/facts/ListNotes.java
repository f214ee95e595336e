package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.doctor.facts.FactKind;
import java.io.IOException;

/**
 * What a file that Sluice wrote says beside its items: which kinds were listed, though they may have no object, and why
 * others were not.
 */
final class ListNotes {

    /** A field of the List, {@code {"listed": ["pods"], "failed": {"leases": "…"}}}. */
    static final String FIELD = "sluice";

    static final String LISTED = "listed";
    static final String FAILED = "failed";

    private ListNotes() {}

    static void read(JsonParser parser, FactsCollector collector) throws IOException {
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            parser.nextToken();
            switch (field) {
                case LISTED -> listed(parser, collector);
                case FAILED -> failed(parser, collector);
                default -> parser.skipChildren();
            }
        }
    }

    private static void listed(JsonParser parser, FactsCollector collector) throws IOException {
        if (!parser.isExpectedStartArrayToken()) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken().isScalarValue()) {
                FactKind.ofPlural(parser.getText()).ifPresent(collector::listed);
            } else {
                parser.skipChildren();
            }
        }
    }

    private static void failed(JsonParser parser, FactsCollector collector) throws IOException {
        if (!parser.isExpectedStartObjectToken()) {
            parser.skipChildren();
            return;
        }
        for (String plural = parser.nextFieldName(); plural != null; plural = parser.nextFieldName()) {
            if (parser.nextToken().isScalarValue()) {
                String why = parser.getText();
                FactKind.ofPlural(plural).ifPresent(kind -> collector.failed(kind, why));
            } else {
                parser.skipChildren();
            }
        }
    }
}
