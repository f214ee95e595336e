package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/** The {@code Status} object with which the API server reports that a request failed. */
public record ApiStatus(int code, String reason, String message) {

    private static final int GONE = 410;

    /** Returns true if the requested resourceVersion is too old, so that the objects have to be listed again. */
    public boolean isExpired() {
        return code == GONE || reason.equals("Expired") || reason.equals("Gone");
    }

    /** Reads the {@code Status} that begins at the parser's current token. */
    public static ApiStatus read(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        int[] code = {0};
        String[] texts = {"", ""};
        cursor.object("status", field -> {
            switch (field) {
                case "code" -> {
                    code[0] = parser.getValueAsInt();
                    cursor.skip();
                }
                case "reason" -> texts[0] = cursor.textOrEmpty(field);
                case "message" -> texts[1] = cursor.textOrEmpty(field);
                default -> cursor.skip();
            }
        });
        return new ApiStatus(code[0], texts[0], texts[1]);
    }
}
