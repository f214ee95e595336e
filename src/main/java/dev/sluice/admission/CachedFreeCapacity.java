package dev.sluice.admission;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;

/** Remembers the answers for one decision, which asks some questions more than once: each is a search of the nodes. */
final class CachedFreeCapacity implements FreeCapacity {

    private record CapacityQuery(Amounts need, NodeConstraints constraints) {

        /** The constraints are those of one pod. */
        @Override
        public int hashCode() {
            return need.hashCode();
        }
    }

    private final FreeCapacity source;
    private final Map<CapacityQuery, Boolean> answers = new HashMap<>();

    CachedFreeCapacity(FreeCapacity source) {
        this.source = source;
    }

    @Override
    public boolean isFree(Amounts need, NodeConstraints constraints) {
        return answers.computeIfAbsent(
                new CapacityQuery(need, constraints), query -> source.isFree(query.need(), query.constraints()));
    }

    /** It is asked for what is not free only. */
    @Override
    public boolean isPreemptible(Amounts need, NodeConstraints constraints, PodPriority priority) {
        return source.isPreemptible(need, constraints, priority);
    }

    @Override
    public long freeOf(ResourceName device) {
        return source.freeOf(device);
    }
}
