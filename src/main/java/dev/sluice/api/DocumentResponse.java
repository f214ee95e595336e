package dev.sluice.api;

import dev.sluice.text.ShortText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An answer of the HTTP API.
 *
 * @param json the body; all its characters are safe to print on a terminal
 * @param retryAfterSeconds the time after which the client should repeat the request; empty if the client should not
 *     repeat it
 */
public record DocumentResponse(int status, String contentType, String json, OptionalInt retryAfterSeconds) {

    /** The maximum number of characters of a parameter that an error message quotes. */
    private static final int LONGEST_QUOTE = 60;

    private DocumentResponse(int status, String contentType, String json) {
        this(status, contentType, json, OptionalInt.empty());
    }

    /** Returns the text of a parameter in quotation marks, shortened for an error message. */
    static String quoted(String text) {
        return '"' + ShortText.of(text, LONGEST_QUOTE) + '"';
    }

    /**
     * Returns an error message about the first parameter in {@code asked} that is not in {@code known}. Returns empty
     * if all parameters are known. A misspelt filter must not be ignored, because the user would believe that it was
     * applied.
     */
    public static Optional<String> unknownParameter(Set<String> asked, List<String> known) {
        return asked.stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .map(name -> quoted(name) + " is not a parameter of this path, which takes "
                        + (known.isEmpty() ? "none" : String.join(", ", known)));
    }

    static DocumentResponse of(Object document) {
        return ofJson(ApiJson.text(document));
    }

    /** Returns a successful answer with this JSON text. */
    static DocumentResponse ofJson(String json) {
        return new DocumentResponse(200, "application/json", json);
    }

    /** Returns a problem in the format of RFC 9457. The detail says what is wrong and what is expected. */
    public static DocumentResponse problem(int status, String title, String detail) {
        ProblemDocument document = new ProblemDocument("about:blank", title, status, detail);
        return new DocumentResponse(status, "application/problem+json", ApiJson.text(document));
    }

    /** Returns the report as the answer of {@code /api/v1/capacity}. */
    public static DocumentResponse capacity(CapacityReport report) {
        return of(CapacityDocument.of(report));
    }

    /** Returns the document as the answer of {@code /api/v1/fleet}. */
    public static DocumentResponse fleet(FleetDocument document) {
        return of(document);
    }

    /** Returns the document as the answer of {@code /api/v1/capacity/history}. */
    public static DocumentResponse history(HistoryDocument document) {
        return of(document);
    }

    /** Returns the document as the answer of {@code /api/v1/capacity/holders}. */
    public static DocumentResponse holders(HoldersDocument document) {
        return of(document);
    }

    /** Returns the document as the answer of {@code /api/v1/explain}. */
    public static DocumentResponse explanation(ExplainDocument document) {
        return of(document);
    }

    public DocumentResponse retryAfter(int seconds) {
        return new DocumentResponse(status, contentType, json, OptionalInt.of(seconds));
    }
}
