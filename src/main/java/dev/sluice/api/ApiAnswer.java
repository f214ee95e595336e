package dev.sluice.api;

import dev.sluice.text.ShortText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An answer of the API.
 *
 * @param json whatever others wrote, it holds no character that steers a terminal
 * @param retryAfterSeconds after which the client should ask again
 */
public record ApiAnswer(int status, String contentType, String json, OptionalInt retryAfterSeconds) {

    /** How much of a parameter the sentence about it quotes. */
    private static final int LONGEST_QUOTE = 60;

    private ApiAnswer(int status, String contentType, String json) {
        this(status, contentType, json, OptionalInt.empty());
    }

    /** Text of a query for a sentence: in quotation marks, and cut. */
    static String quoted(String text) {
        return '"' + ShortText.of(text, LONGEST_QUOTE) + '"';
    }

    /**
     * The sentence about a parameter that a path does not know; empty if it knows them all. A filter that is not known
     * would otherwise be taken for one that found everything.
     */
    public static Optional<String> unknownParameter(Set<String> asked, List<String> known) {
        return asked.stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .map(name -> quoted(name) + " is no parameter of this path, which takes "
                        + (known.isEmpty() ? "none" : String.join(", ", known)));
    }

    static ApiAnswer of(Object document) {
        return ofJson(ApiJson.text(document));
    }

    /** An answer that is written already. */
    static ApiAnswer ofJson(String json) {
        return new ApiAnswer(200, "application/json", json);
    }

    /** A problem as RFC 9457 defines it; the detail says what is wrong and what is expected. */
    public static ApiAnswer problem(int status, String title, String detail) {
        ProblemDocument document = new ProblemDocument("about:blank", title, status, detail);
        return new ApiAnswer(status, "application/problem+json", ApiJson.text(document));
    }

    /** The report as {@code /api/v1/capacity} serves it. */
    public static ApiAnswer capacity(CapacityReport report) {
        return of(CapacityDocument.of(report));
    }

    public ApiAnswer retryAfter(int seconds) {
        return new ApiAnswer(status, contentType, json, OptionalInt.of(seconds));
    }
}
