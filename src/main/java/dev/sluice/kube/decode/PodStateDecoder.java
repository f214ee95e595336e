package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/**
 * Decodes the parts of existing pods that are needed to count the resources in use. Equal values are shared between
 * pods. It is not thread-safe.
 *
 * <p>A pod in a file is decoded as the API server would store it. If a container has a limit and no request, the
 * request is set to the limit. Quantities are rounded up to thousandths. Pods from the API server are already stored in
 * this form.
 */
public final class PodStateDecoder implements ObjectDecoder<Pod> {

    private final DecodedValuePool internPool = new DecodedValuePool();

    @Override
    public ObjectDecodeResult<Pod> decode(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        PodBuilder pod = new PodBuilder(cursor, new ObjectHead(cursor, ""), internPool);
        cursor.object("the object", pod::field);
        return pod.build();
    }

    /** Returns the event for a pod that was deleted or has reached a terminal phase. */
    public static PodEvent.PodRemoved removal(ObjectMeta pod) {
        String name = pod.namespace() + "/" + pod.name();
        return new PodEvent.PodRemoved(PodId.of(pod.uid()), name, pod.stamp(), pod.resourceVersion());
    }
}
