package dev.sluice.webhook.intake;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks the content type of a request body. */
public final class RequestBodyContentType {

    private static final String JSON = "application/json";

    private RequestBodyContentType() {}

    /** Returns true if a {@code Content-Type} header means JSON in UTF-8. */
    public static boolean is(@Nullable String contentType) {
        return contentType != null && (contentType.equals(JSON) || hasParameter(contentType));
    }

    private static boolean hasParameter(String contentType) {
        String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", 2);
        return parts[0].strip().equals(JSON)
                && (parts.length == 1
                        || parts[1].isBlank()
                        || parts[1].strip().replace("\"", "").equals("charset=utf-8"));
    }
}
