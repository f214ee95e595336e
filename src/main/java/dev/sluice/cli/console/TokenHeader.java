package dev.sluice.cli.console;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The header with the token of the user. The file with the token is read again from time to time, because a token is
 * often valid for an hour only, and another program renews it in the file.
 */
final class TokenHeader implements Supplier<Optional<String>> {

    static final Duration READ_EVERY = Duration.ofMinutes(1);

    private final GatewayCredentials credentials;
    private final InstantSource clock;
    private Optional<String> newest;
    private Instant read;

    /** Reads the token for the first time. */
    TokenHeader(GatewayCredentials credentials, InstantSource clock) throws UserProblem {
        this.credentials = credentials;
        this.clock = clock;
        this.newest = credentials.authorization();
        this.read = clock.instant();
    }

    @Override
    public synchronized Optional<String> get() {
        Instant now = clock.instant();
        if (!now.isBefore(read.plus(READ_EVERY))) {
            read = now;
            try {
                newest = credentials.authorization();
            } catch (UserProblem unreadable) {
                // Another program may be writing the file at this moment, so the old token is kept. The gateway refuses
                // it if it is no longer valid.
                return newest;
            }
        }
        return newest;
    }
}
