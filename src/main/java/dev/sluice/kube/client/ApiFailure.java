package dev.sluice.kube.client;

import java.io.IOException;
import java.io.Serial;
import java.util.regex.Pattern;

/** Thrown if the API server answers a request with an error status. */
public final class ApiFailure extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private static final Pattern BY_AUTHORIZER = Pattern.compile("[^:]* is forbidden: User \"");

    private final boolean expired;
    private final int code;
    private final String summary;
    private final String message;

    public ApiFailure(ApiStatus status) {
        this(status, status.message());
    }

    /** Creates the exception for an answer whose body is not a {@code Status}. Such an answer may come from a proxy. */
    public ApiFailure(int code, IOException noStatus) {
        this(new ApiStatus(code, "", "(" + noStatus.getMessage() + ")"), "");
    }

    private ApiFailure(ApiStatus status, String message) {
        super("the API server answered " + status.code() + " " + status.reason() + ": " + status.message());
        this.expired = status.isExpired();
        this.code = status.code();
        this.message = message;
        this.summary = summary(code, message);
    }

    /**
     * Formats an HTTP status code and a message, which may be empty. The errors of fabric8's client use the same
     * format.
     */
    public static String summary(int code, String message) {
        return "the API server answered " + code + (message.isEmpty() ? "" : " (" + message + ")");
    }

    /** Returns the HTTP status code and, if the answer contains a {@code Status}, its message. */
    public String summary() {
        return summary;
    }

    /** Returns true if the API server does not accept the credentials (401). */
    public boolean isUnauthorized() {
        return code == UNAUTHORIZED;
    }

    /** Returns true if the status code is 403. */
    public boolean isForbidden() {
        return code == FORBIDDEN;
    }

    /**
     * Returns true if the authorizer refused the request because the account lacks a right. Returns false if admission
     * refused the request with the same code 403, for example because of a quota, a webhook or a namespace that is
     * being deleted. The authorizer is recognized by the text that {@code responsewriters.Forbidden} of the API server
     * writes.
     */
    public boolean lacksRight() {
        return isForbidden() && BY_AUTHORIZER.matcher(message).lookingAt();
    }

    /** Returns true if the API server does not know the resource or the object (404). */
    public boolean isNotFound() {
        return code == NOT_FOUND;
    }

    /** Returns true if the object was changed since the version that the request names (409). */
    public boolean isConflict() {
        return code == CONFLICT;
    }

    public boolean isExpired() {
        return expired;
    }
}
