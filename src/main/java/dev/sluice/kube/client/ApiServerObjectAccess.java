package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/**
 * Reads single objects or their metadata, and writes small objects. Every method blocks, and throws {@link ApiFailure}
 * if the API server answers with an error. No request is repeated. Paths are relative to the URL of the API server.
 */
public interface ApiServerObjectAccess {

    /** Returns the object without its spec and status. */
    JsonNode metadata(String path) throws IOException;

    /** Returns the whole object. Callers should use this method only for small objects. */
    JsonNode object(String path) throws IOException;

    /** Creates an object in the collection at this path. */
    void create(String path, JsonNode object) throws IOException;

    /** Changes an object with a JSON merge patch (RFC 7396). */
    void merge(String path, JsonNode patch) throws IOException;
}
