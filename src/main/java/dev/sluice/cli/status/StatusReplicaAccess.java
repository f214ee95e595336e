package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.console.UserProblem;
import java.util.Map;

/** A connection to the management port of one replica. */
interface StatusReplicaAccess {

    /** Returns the name of the pod, or the URL. */
    String name();

    /** Returns the JSON at this path. */
    JsonNode get(String path, Map<String, String> parameters) throws UserProblem, InterruptedException;
}
