package dev.sluice.kube.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The questions that the gateway asks the API server about a token. Each method blocks for at most {@code patience}.
 */
public interface AccessQuestions {

    /**
     * Returns the owner of the token. Returns empty if the token is not valid. Throws IOException if there is no
     * answer.
     */
    Optional<Caller> authenticate(String token, Duration patience) throws IOException;

    /** Returns true if this caller may get this path as a nonResourceURL. Throws IOException if there is no answer. */
    boolean mayGet(Caller caller, String path, Duration patience) throws IOException;

    /** Returns true if this caller may create pods in this namespace. Throws IOException if there is no answer. */
    boolean mayCreatePods(Caller caller, String namespace, Duration patience) throws IOException;
}
