package dev.sluice.kube.transport;

import dev.sluice.kube.list.ApiStatus;
import java.io.IOException;
import java.io.Serial;

/** The API server answered, and the answer is no. */
public final class ApiFailure extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private static final int FORBIDDEN = 403;

    private final boolean expired;
    private final boolean forbidden;

    public ApiFailure(ApiStatus status) {
        super("the API server answered " + status.code() + " " + status.reason() + ": " + status.message());
        this.expired = status.isExpired();
        this.forbidden = status.code() == FORBIDDEN;
    }

    /** The account has no right to ask this. */
    public boolean isForbidden() {
        return forbidden;
    }

    public boolean isExpired() {
        return expired;
    }
}
