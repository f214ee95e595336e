package dev.sluice.record;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The pod of a decision.
 *
 * @param containers the containers that ask for a GPU, at most {@link #MOST_CONTAINERS}
 * @param more the number of further containers that ask for a GPU
 */
public record RecordedPod(ReviewHead head, List<RecordedContainer> containers, int more) {

    public static final int MOST_CONTAINERS = 4;

    public RecordedPod {
        containers = List.copyOf(containers);
    }

    /** Returns the record of a pod that could not be read. */
    public static RecordedPod unread(ReviewHead head) {
        return new RecordedPod(head, List.of(), 0);
    }

    /**
     * Returns the record of a pod that was read. It holds the containers that ask for a GPU, as these chains define
     * GPUs.
     */
    public static RecordedPod asking(ReviewHead head, PodRequest pod, FallbackChains chains) {
        List<RecordedContainer> asking = new ArrayList<>(1);
        int more = 0;
        for (ContainerRequest container : pod.containers()) {
            Map<ResourceName, Quantity> gpus = RecordedContainer.gpusOf(container, chains::isGpu);
            if (!gpus.isEmpty()) {
                if (asking.size() < MOST_CONTAINERS) {
                    asking.add(new RecordedContainer(container.name(), container.kind(), gpus));
                } else {
                    more++;
                }
            }
        }
        return new RecordedPod(head, asking, more);
    }
}
