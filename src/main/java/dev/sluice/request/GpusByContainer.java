package dev.sluice.request;

import dev.sluice.policy.NamespacePolicy;
import dev.sluice.quantity.Amounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each container of a pod asks of GPUs, by its name: by this a pod is known that others may have changed in all
 * else. Containers without a GPU may come and go.
 */
public record GpusByContainer(Map<String, Amounts> byName) {

    public GpusByContainer {
        byName = Map.copyOf(byName);
    }

    /** As it is once these moves are made. */
    public static GpusByContainer of(PodRequest pod, NamespacePolicy policy, List<Move> moves) {
        Map<String, Amounts> byName = new HashMap<>();
        GpuRequest request = GpuRequest.of(pod, policy.policy());
        for (GpuContainer gpuContainer : request.gpuContainers()) {
            Amounts amounts = gpuContainer.amounts(asked -> moves.stream()
                    .filter(move -> move.asked().equals(asked))
                    .map(Move::given)
                    .findFirst()
                    .orElse(asked));
            byName.merge(gpuContainer.request().name(), amounts, Amounts::plus);
        }
        return new GpusByContainer(byName);
    }
}
