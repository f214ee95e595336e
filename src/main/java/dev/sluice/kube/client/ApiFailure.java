package dev.sluice.kube.client;

import java.io.IOException;
import java.io.Serial;
import java.util.regex.Pattern;

/** The API server answered with something other than success. */
public final class ApiFailure extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private static final Pattern BY_AUTHORIZER = Pattern.compile("[^:]* is forbidden: User \"");

    private final boolean expired;
    private final int code;
    private final String summary;
    private final String message;

    public ApiFailure(ApiStatus status) {
        this(status, status.message());
    }

    /** An answer without a Status: something other than an API server may have given it. */
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

    /** The same for a client that throws failures of its own; the message may be empty. */
    public static String summary(int code, String message) {
        return "the API server answered " + code + (message.isEmpty() ? "" : " (" + message + ")");
    }

    /** The code, and the message of the Status where the answer has one. */
    public String summary() {
        return summary;
    }

    /** The account has no right to make this request. */
    public boolean isForbidden() {
        return code == FORBIDDEN;
    }

    /**
     * The authorizer refused the request, and no admission: quotas, webhooks and namespaces that are being deleted are
     * answered with 403, too (apiserver {@code responsewriters.Forbidden}).
     */
    public boolean lacksRight() {
        return isForbidden() && BY_AUTHORIZER.matcher(message).lookingAt();
    }

    /** The API server does not know the resource. */
    public boolean isNotFound() {
        return code == NOT_FOUND;
    }

    public boolean isExpired() {
        return expired;
    }
}
