package dev.sluice.management.access;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** What the API server is asked. Each question blocks, and ends at the latest when {@code patience} is over. */
public interface AccessQuestions {

    /** The owner of the token; empty if the token is not valid. Fails if there is no answer. */
    Optional<Caller> authenticate(String token, Duration patience) throws IOException;

    /** Whether this caller may get this path, which belongs to no resource. Fails if there is no answer. */
    boolean mayGet(Caller caller, String path, Duration patience) throws IOException;
}
