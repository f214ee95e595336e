package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An answer of the API server with any status.
 *
 * @param warnings the texts of the headers {@code Warning}
 * @param body the JSON of the body; a missing node if the body is not JSON
 */
public record ApiServerReply(int status, List<String> warnings, JsonNode body) {

    /** The maximum number of bytes of a body. A list of a hundred pods has several hundred kilobytes. */
    static final int MOST_BYTES = 8 * 1024 * 1024;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Matches one warning: {@code 299 - "text"}. Quotation marks and backslashes in the text are escaped. */
    private static final Pattern WARNING = Pattern.compile("299 \\S+ \"((?:[^\"\\\\]|\\\\.)*+)\"");

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    public ApiServerReply {
        warnings = List.copyOf(warnings);
    }

    static ApiServerReply of(int status, List<String> warnings, byte[] body) {
        return new ApiServerReply(
                status,
                warnings.stream()
                        .flatMap(header -> WARNING.matcher(header).results())
                        .map(found -> ESCAPED.matcher(found.group(1)).replaceAll("$1"))
                        .toList(),
                json(body));
    }

    private static JsonNode json(byte[] body) {
        try {
            JsonNode json = JSON.readTree(body);
            return json == null ? MissingNode.getInstance() : json;
        } catch (IOException other) {
            return MissingNode.getInstance();
        }
    }

    public boolean isSuccessful() {
        return status >= 200 && status < 300;
    }

    /** Returns the message of the {@code Status} in the body; empty if the body has none. */
    public String message() {
        return body.path("message").asText("");
    }

    /** Returns true if the authorizer of the API server refused the request because a right is missing. */
    public boolean lacksRight() {
        return new ApiFailure(new ApiStatus(status, "", message())).lacksRight();
    }

    /** Returns the status code with the message of the {@code Status}. */
    public String summary() {
        return ApiFailure.summary(status, message());
    }
}
