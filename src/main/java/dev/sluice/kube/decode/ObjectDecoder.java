package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Decodes Kubernetes objects of one kind into small records. */
public interface ObjectDecoder<T> {

    /**
     * Decodes the object that begins at the parser's current token. Afterwards the current token is the last token of
     * the object.
     *
     * @throws IOException if the stream ends within the object, or is not JSON or YAML
     */
    ObjectDecodeResult<T> decode(JsonParser parser) throws IOException;
}
