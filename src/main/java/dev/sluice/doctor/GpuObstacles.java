package dev.sluice.doctor;

import dev.sluice.cluster.NodeExtendedResources;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.DiagnosedNodeTable.AskedColumn;
import dev.sluice.doctor.DiagnosedNodeTable.ResourceColumn;
import dev.sluice.doctor.DiagnosedRepairSearch.Question;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Finds out whether a node can provide the devices for a pod: now, after other pods end, or after a fault is repaired.
 */
final class GpuObstacles {

    /** Marks a node that has too few devices for the pod, even if no other pod used any of them. */
    private static final int TOO_FEW = -1;

    private static final int LEAVING = 1;
    private static final int STAYING = 2;

    private static final PodObstacle LEAVE = new PodObstacle.DevicesInUse(DiagnosisCode.HELD_BY_TERMINATING);
    private static final PodObstacle STAY = new PodObstacle.DevicesInUse(DiagnosisCode.ALL_USED);

    /**
     * The obstacles on a node whose devices are in use. The index is the sum of {@link #LEAVING} if terminating pods
     * use needed devices, and {@link #STAYING} if other pods use needed devices.
     */
    private static final List<List<PodObstacle>> IN_USE =
            List.of(List.of(), List.of(LEAVE), List.of(STAY), List.of(LEAVE, STAY));

    private static final List<List<List<PodObstacle>>> ONLY =
            IN_USE.stream().map(List::of).toList();

    private final DiagnosedNodeUse.Asker asker;
    private final List<AskedColumn> asked;
    private final Amounts need;
    private final DiagnosedNodeTable nodes;
    /**
     * True if the pod requests more devices than one claim can have. The limit applies only to nodes that offer their
     * devices through DRA.
     */
    private final boolean exceedsOneClaim;

    /** True if the pod asks for a share of a GPU. GPUs that are in use may still have a free share. */
    private final boolean shares;

    GpuObstacles(Question question, DiagnosedNodeTable nodes) {
        this.asker = question.asker();
        this.need = question.gpus();
        this.asked = nodes.asked(need);
        this.nodes = nodes;
        this.shares = question.ask().asksForShare();
        this.exceedsOneClaim = need.sum() > NodeExtendedResources.MOST_OF_ONE_POD;
    }

    /**
     * Returns the ways in which the node could provide the devices. A way is the list of obstacles that have to be
     * removed. The result is empty if the node has too few devices and no repair would add enough.
     */
    List<List<PodObstacle>> ways(int node) {
        int now = inUseNow(node);
        Set<FindingCode> faults = faults(node);
        if (faults.isEmpty()) {
            return now == TOO_FEW ? List.of() : ONLY.get(now);
        }
        List<List<PodObstacle>> ways = new ArrayList<>();
        if (now != TOO_FEW) {
            ways.add(IN_USE.get(now));
        }
        for (FindingCode fault : faults) {
            int then = afterRepair(node, fault);
            if (then != TOO_FEW) {
                List<PodObstacle> way = new ArrayList<>(IN_USE.get(then));
                way.addFirst(new PodObstacle.NodeFault(fault));
                ways.add(way);
            }
        }
        return ways;
    }

    /** Returns true if the node offers enough devices now, even if other pods use them. */
    boolean couldHold(int node) {
        return inUseNow(node) != TOO_FEW;
    }

    /**
     * Returns true if the node offers enough devices, but too few of them would be free after its terminating pods end.
     */
    boolean devicesAreInUse(int node) {
        int now = inUseNow(node);
        return now != TOO_FEW && (now & STAYING) != 0;
    }

    private int inUseNow(int node) {
        return inUse(node, column -> column.allocatable(node));
    }

    private Set<FindingCode> faults(int node) {
        Set<FindingCode> faults = Set.of();
        for (AskedColumn wanted : asked) {
            List<FindingCode> more = wanted.column().faults(node);
            if (!more.isEmpty()) {
                faults = faults.isEmpty() ? new LinkedHashSet<>() : faults;
                faults.addAll(more);
            }
        }
        return faults;
    }

    /**
     * Returns which pods would use the needed devices after the repair of a fault, as a sum of {@link #LEAVING} and
     * {@link #STAYING}. Returns {@link #TOO_FEW} if the node would still have too few devices, or if the repair adds no
     * device that the pod requests.
     */
    private int afterRepair(int node, FindingCode fault) {
        boolean brings = false;
        for (AskedColumn wanted : asked) {
            brings |= wanted.column().supply(fault, node) > wanted.column().allocatable(node);
        }
        return brings ? inUse(node, column -> Math.max(column.allocatable(node), column.supply(fault, node))) : TOO_FEW;
    }

    private int inUse(int node, ToLongFunction<ResourceColumn> supply) {
        if (exceedsOneClaim && !nodes.node(node).facts().node().byClaims().fitOneClaim(need)) {
            return TOO_FEW;
        }
        int uses = 0;
        for (AskedColumn wanted : asked) {
            ResourceColumn column = wanted.column();
            long offered = supply.applyAsLong(column);
            if (wanted.amount() > offered) {
                return TOO_FEW;
            }
            long free = offered - (shares ? 0 : column.used(node, asker));
            if (wanted.amount() > free) {
                uses |= wanted.amount() <= Amounts.saturatedSum(free, column.leaving(node)) ? LEAVING : STAYING;
            }
        }
        return uses;
    }
}
