package dev.sluice.cli.console;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The header with the token of the user. The token is read again from time to time, because it is often valid for an
 * hour only, and another program renews it.
 */
final class RunningGatewayToken implements Supplier<Optional<String>> {

    static final Duration READ_EVERY = Duration.ofMinutes(1);

    /** Reads the value of the header from a file, or from the kubeconfig. */
    interface TokenSource {
        Optional<String> authorization() throws UserProblem;
    }

    private final TokenSource source;
    private final InstantSource clock;
    private Optional<String> newest;
    private Instant read;

    /** Reads the token for the first time. */
    RunningGatewayToken(TokenSource source, InstantSource clock) throws UserProblem {
        this.source = source;
        this.clock = clock;
        this.newest = source.authorization();
        this.read = clock.instant();
    }

    @Override
    public synchronized Optional<String> get() {
        Instant now = clock.instant();
        // The clock may have been set back since the last reading.
        if (now.isBefore(read) || !now.isBefore(read.plus(READ_EVERY))) {
            read = now;
            try {
                newest = source.authorization();
            } catch (UserProblem unreadable) {
                // The former token is kept, because the failure may be temporary: another program may be writing the
                // file, or the credential program may have failed once. The gateway refuses the token if it is no
                // longer valid.
                return newest;
            }
        }
        return newest;
    }
}
