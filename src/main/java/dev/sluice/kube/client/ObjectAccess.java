package dev.sluice.kube.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/**
 * Reads the metadata of single objects, and writes small objects. Every call blocks, and fails with {@link ApiFailure}
 * when the API server says no. Nothing is tried twice. Paths are relative to the root of the API server.
 */
public interface ObjectAccess {

    /** The object without spec and status. */
    JsonNode metadata(String path) throws IOException;

    /** Creates an object in the collection at this path. */
    void create(String path, JsonNode object) throws IOException;

    /** Changes the members that the patch names, as RFC 7396 says. */
    void merge(String path, JsonNode patch) throws IOException;
}
