package dev.sluice.watch;

import dev.sluice.codec.ApiStatus;
import java.io.IOException;
import java.io.Serial;

/** The API server answered, and the answer is no. */
final class ApiFailure extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    private final boolean expired;

    ApiFailure(ApiStatus status) {
        super("the API server answered " + status.code() + " " + status.reason() + ": " + status.message());
        this.expired = status.isExpired();
    }

    boolean isExpired() {
        return expired;
    }
}
