package dev.sluice.management.api;

import java.util.OptionalInt;

/**
 * An answer of the API.
 *
 * @param json in ASCII: whatever others wrote, it steers no terminal
 * @param retryAfterSeconds when it is worth to ask again
 */
public record ApiAnswer(int status, String contentType, String json, OptionalInt retryAfterSeconds) {

    /** What is quoted of a parameter in the sentence about it. */
    private static final int LONGEST_QUOTE = 60;

    private ApiAnswer(int status, String contentType, String json) {
        this(status, contentType, json, OptionalInt.empty());
    }

    /** Text of a query for a sentence: in quotation marks, and cut. */
    public static String quoted(String text) {
        return '"' + (text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "..." : text) + '"';
    }

    static ApiAnswer of(String json) {
        return new ApiAnswer(200, "application/json", json);
    }

    /** A problem as RFC 9457 has it; the detail says what is wrong and what is expected. */
    public static ApiAnswer problem(int status, String title, String detail) {
        return new ApiAnswer(status, "application/problem+json", JsonText.of(json -> {
            json.writeStartObject();
            json.writeStringField("type", "about:blank");
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            json.writeEndObject();
        }));
    }

    public ApiAnswer retryAfter(int seconds) {
        return new ApiAnswer(status, contentType, json, OptionalInt.of(seconds));
    }
}
