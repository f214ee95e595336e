package dev.sluice.request;

import dev.sluice.policy.NamespacePolicy;
import dev.sluice.quantity.Amounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The GPUs that each container of a pod asks for, by the name of the container. A pod that comes again is recognized by
 * them, because other webhooks may have changed everything else.
 */
public record GpusByContainer(Map<String, Amounts> byName) {

    public GpusByContainer {
        byName = Map.copyOf(byName);
    }

    /** The GPUs of the pod after these moves. */
    public static GpusByContainer of(PodRequest pod, NamespacePolicy policy, List<Move> moves) {
        Map<String, Amounts> byName = new HashMap<>();
        GpuRequest request = GpuRequest.of(pod, policy.policy());
        for (GpuContainer gpuContainer : request.gpuContainers()) {
            Amounts amounts = gpuContainer.amounts(Move.given(moves));
            byName.merge(gpuContainer.request().name(), amounts, Amounts::plus);
        }
        return new GpusByContainer(byName);
    }
}
