package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Decodes Kubernetes objects of one kind into small records. */
public interface ObjectDecoder<T> {

    /**
     * The object that begins at the parser's current token; afterwards the parser stands on its last.
     *
     * @throws IOException when the stream ends or is no JSON or YAML
     */
    DecodeResult<T> decode(JsonParser parser) throws IOException;
}
