package dev.sluice.admission;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.HashMap;
import java.util.Map;

/**
 * Caches the answers of another {@link FreeCapacity} for the duration of one decision. A decision asks some questions
 * more than once, and each answer requires a search of all nodes.
 */
final class CachedFreeCapacity implements FreeCapacity {

    private record CapacityQuery(Amounts need, NodeConstraints constraints) {

        /** Ignores the constraints, because they are the same in nearly all queries of a decision. */
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

    /** Does not cache the answer, because a decision rarely asks this question. */
    @Override
    public boolean isPreemptible(Amounts need, NodeConstraints constraints, PodPriority priority) {
        return source.isPreemptible(need, constraints, priority);
    }

    /**
     * Does not cache the answer, because a decision asks this question only once for each combination of candidates.
     */
    @Override
    public boolean mayBeFree(Amounts need, NodeConstraints constraints) {
        return source.mayBeFree(need, constraints);
    }

    @Override
    public long freeOf(ResourceName device) {
        return source.freeOf(device);
    }

    @Override
    public boolean isUncertain(ResourceName device) {
        return source.isUncertain(device);
    }

    @Override
    public UsableDevices usableNow(ResourceName device, NodeConstraints constraints) {
        return source.usableNow(device, constraints);
    }
}
