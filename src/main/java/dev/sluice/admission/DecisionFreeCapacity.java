package dev.sluice.admission;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.Ledger;
import dev.sluice.ledger.placement.PlacementDeviceUsage;
import java.util.function.BiPredicate;

/**
 * Reads the free capacity from a ledger. Decisions and their explanations use it.
 *
 * @param isFree returns true if some node has these amounts free for a pod with these constraints
 */
public record DecisionFreeCapacity(Ledger ledger, BiPredicate<Amounts, NodeConstraints> isFree)
        implements FreeCapacity {

    public DecisionFreeCapacity(Ledger ledger) {
        this(ledger, ledger::isFree);
    }

    @Override
    public boolean isFree(Amounts need, NodeConstraints constraints) {
        return isFree.test(need, constraints);
    }

    @Override
    public boolean isPreemptible(Amounts need, NodeConstraints constraints, PodPriority priority) {
        return ledger.isFreeByPriority(need, constraints, priority);
    }

    @Override
    public boolean mayBeFree(Amounts need, NodeConstraints constraints) {
        return ledger.mayBeFree(need, constraints);
    }

    @Override
    public long freeOf(ResourceName device) {
        return ledger.freeOf(device);
    }

    @Override
    public boolean isUncertain(ResourceName device) {
        return ledger.isFreeUncertain(device);
    }

    @Override
    public UsableDevices usableNow(ResourceName device, NodeConstraints constraints) {
        PlacementDeviceUsage usable = ledger.usableNow(device, constraints);
        return new UsableDevices(usable.available(), usable.allocatable(), usable.nodes());
    }
}
