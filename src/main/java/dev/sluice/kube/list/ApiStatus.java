package dev.sluice.kube.list;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/** The API server's {@code Status}: why it did not do what it was asked. */
public record ApiStatus(int code, String reason, String message) {

    private static final int GONE = 410;

    /** The version that was asked for is older than the server remembers: only a new list helps. */
    public boolean isExpired() {
        return code == GONE || reason.equals("Expired") || reason.equals("Gone");
    }

    /** The Status at the parser's current token. */
    public static ApiStatus read(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        StatusFields fields = new StatusFields(parser, cursor);
        cursor.object("status", fields::field);
        return new ApiStatus(fields.code, fields.reason, fields.message);
    }

    private static final class StatusFields {
        private final JsonParser parser;
        private final JsonCursor cursor;
        private int code;
        private String reason = "";
        private String message = "";

        StatusFields(JsonParser parser, JsonCursor cursor) {
            this.parser = parser;
            this.cursor = cursor;
        }

        void field(String field) throws IOException {
            switch (field) {
                case "code" -> {
                    code = parser.getValueAsInt();
                    cursor.skip();
                }
                case "reason" -> reason = cursor.textOrEmpty(field);
                case "message" -> message = cursor.textOrEmpty(field);
                default -> cursor.skip();
            }
        }
    }
}
