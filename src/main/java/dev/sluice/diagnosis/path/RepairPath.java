package dev.sluice.diagnosis.path;

import dev.sluice.diagnosis.node.NodeStudy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The obstacles after whose removal a pod fits a node. */
public record RepairPath(NodeStudy node, List<Obstacle> obstacles) {

    /** The fewest obstacles, then the pod's own nodes, then the most upstream code, the next code, and so on. */
    static final Comparator<RepairPath> BEST_FIRST = Comparator.<RepairPath>comparingInt(
                    path -> path.obstacles().size())
            .thenComparing(path -> !path.isOwn())
            .thenComparing(RepairPath::codes, RepairPath::upstreamFirst);

    private static int upstreamFirst(List<VerdictCode> one, List<VerdictCode> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = one.get(i).compareTo(other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    /** The node has no taint, selector, affinity or cordon in the pod's way. */
    boolean isOwn() {
        return obstacles.stream()
                .noneMatch(obstacle -> obstacle instanceof Obstacle.Mismatch mismatch
                        && mismatch.reason().isForeign());
    }

    /** Distinct, in upstream order. */
    public List<VerdictCode> codes() {
        List<VerdictCode> codes = new ArrayList<>();
        for (Obstacle obstacle : obstacles) {
            codes.add(obstacle.code());
        }
        return codes.stream().distinct().sorted().toList();
    }
}
