package dev.sluice.ledger;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether demands can be placed together beside what is Allocated; every way is tried. */
final class Packing {

    private final List<Node> nodes;
    private final List<long[]> free = new ArrayList<>();

    /** {@code pinned} has the node of each demand that stays there with or without room. */
    Packing(LedgerModel model, Map<String, String> pinned) {
        nodes = List.copyOf(model.nodes.values());
        Map<String, long[]> allocated = model.allocated();
        for (Node node : nodes) {
            long[] left = Palette.vector(node.allocatable());
            take(left, allocated.getOrDefault(node.name(), new long[left.length]), -1);
            if (!node.allocatable().has(ResourceName.PODS)) {
                left[Palette.PODS] = Integer.MAX_VALUE;
            }
            free.add(left);
        }
        for (LedgerModel.Demand demand : model.demands()) {
            Node node = model.nodes.get(pinned.getOrDefault(demand.pod(), ""));
            if (node != null) {
                take(free.get(nodes.indexOf(node)), Palette.vector(demand.need()), -1);
            }
        }
    }

    private static void take(long[] left, long[] amounts, int sign) {
        for (int i = 0; i < left.length; i++) {
            left[i] += sign * amounts[i];
        }
    }

    boolean holds(List<LedgerModel.Demand> demands) {
        boolean[][] admitted = new boolean[demands.size()][nodes.size()];
        for (int d = 0; d < admitted.length; d++) {
            for (int n = 0; n < nodes.size(); n++) {
                admitted[d][n] = demands.get(d)
                        .constraints()
                        .presentRefusal(nodes.get(n))
                        .isEmpty();
            }
        }
        return holds(demands, admitted, 0);
    }

    private boolean holds(List<LedgerModel.Demand> demands, boolean[][] admitted, int next) {
        if (next == demands.size()) {
            return true;
        }
        long[] need = Palette.vector(demands.get(next).need());
        for (int n = 0; n < nodes.size(); n++) {
            if (admitted[next][n] && covers(free.get(n), need)) {
                take(free.get(n), need, -1);
                boolean rest = holds(demands, admitted, next + 1);
                take(free.get(n), need, 1);
                if (rest) {
                    return true;
                }
            }
        }
        return false;
    }

    static boolean covers(long[] free, long[] need) {
        for (int i = 0; i < need.length; i++) {
            if (need[i] > 0 && need[i] > free[i]) {
                return false;
            }
        }
        return true;
    }
}
