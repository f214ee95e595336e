package dev.sluice.record;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The description of a pod in a decision record.
 *
 * @param containers the containers that request a GPU, at most {@link #MOST_CONTAINERS}
 * @param more the number of containers beyond that limit
 */
public record RecordedPod(RecordedReviewHead head, List<RecordedContainer> containers, int more) {

    public static final int MOST_CONTAINERS = 4;

    public RecordedPod {
        containers = List.copyOf(containers);
    }

    /** Returns the description of a pod that could not be decoded. */
    public static RecordedPod unread(RecordedReviewHead head) {
        return new RecordedPod(head, List.of(), 0);
    }

    /** Returns the description of a pod that was decoded, with those containers that request a GPU. */
    public static RecordedPod asking(RecordedReviewHead head, PodRequest pod, Predicate<ResourceName> isGpu) {
        List<RecordedContainer> asking = new ArrayList<>(1);
        int more = 0;
        for (ContainerRequest container : pod.containers()) {
            Map<ResourceName, Quantity> gpus = RecordedContainer.gpusOf(container, isGpu);
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
