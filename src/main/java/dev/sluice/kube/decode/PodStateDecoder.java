package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.client.DecodeResult;
import dev.sluice.kube.client.ObjectDecoder;
import dev.sluice.kube.client.ObjectHead;
import dev.sluice.kube.client.ObjectMeta;
import java.io.IOException;

/**
 * Decodes the parts of existing pods that the ledger reads. Has one owner: equal places and amounts are interned.
 *
 * <p>A pod of a file is read as the API server would store it: limits count where a container has no requests, and
 * quantities are rounded up to thousandths. Pods of the API server are stored like that already.
 */
public final class PodStateDecoder implements ObjectDecoder<Pod> {

    private final InternPool internPool = new InternPool();

    @Override
    public DecodeResult<Pod> decode(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        PodBuilder pod = new PodBuilder(cursor, new ObjectHead(cursor, ""), internPool);
        cursor.object("the object", pod::field);
        return pod.build();
    }

    /** The event of a pod that was deleted or has ended. */
    public static PodEvent.PodRemoved removal(ObjectMeta pod) {
        String name = pod.namespace() + "/" + pod.name();
        return new PodEvent.PodRemoved(PodId.of(pod.uid()), name, pod.stamp(), pod.resourceVersion());
    }
}
