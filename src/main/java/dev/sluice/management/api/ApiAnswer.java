package dev.sluice.management.api;

/**
 * An answer of the API.
 *
 * @param json in ASCII: whatever others wrote, it steers no terminal
 */
public record ApiAnswer(int status, String contentType, String json) {

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
}
