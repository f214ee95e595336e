package dev.sluice.ledger;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many of those who were promised room can be placed together at best: every way is tried. */
final class Packing {

    private final List<Node> nodes;
    private final List<long[]> free = new ArrayList<>();
    private final List<Told.Demand> demands = new ArrayList<>();
    private final Map<Told.Demand, boolean[]> admitted = new HashMap<>();
    private int best;

    /** {@code standing}: who takes room on which node, whether it is there or not. */
    Packing(Told told, Map<String, String> standing) {
        nodes = List.copyOf(told.nodes.values());
        Map<String, long[]> allocated = told.allocated();
        for (Node node : nodes) {
            long[] left = Palette.vector(node.allocatable());
            take(left, allocated.getOrDefault(node.name(), new long[left.length]), -1);
            if (!node.allocatable().has(ResourceName.PODS)) {
                left[Palette.PODS] = Integer.MAX_VALUE;
            }
            free.add(left);
        }
        for (Told.Demand demand : told.demands()) {
            Node node = told.nodes.get(standing.getOrDefault(demand.holder(), ""));
            if (node != null) {
                take(free.get(nodes.indexOf(node)), Palette.vector(demand.need()), -1);
            } else if (demand.room()) {
                demands.add(demand);
            }
        }
        demands.sort(Comparator.comparing((Told.Demand demand) -> demand.need().toString()));
    }

    private static void take(long[] left, long[] amounts, int sign) {
        for (int i = 0; i < left.length; i++) {
            left[i] += sign * amounts[i];
        }
    }

    int most() {
        for (Told.Demand demand : demands) {
            boolean[] where = new boolean[nodes.size()];
            for (int n = 0; n < where.length; n++) {
                where[n] = demand.constraints().presentRefusal(nodes.get(n)).isEmpty();
            }
            admitted.put(demand, where);
        }
        best = 0;
        place(0, 0);
        return best;
    }

    int demanded() {
        return demands.size();
    }

    private void place(int next, int placed) {
        best = Math.max(best, placed);
        if (placed + demands.size() - next <= best) {
            return;
        }
        Told.Demand demand = demands.get(next);
        long[] need = Palette.vector(demand.need());
        for (int n = 0; n < nodes.size(); n++) {
            if (admitted.get(demand)[n] && covers(free.get(n), need)) {
                take(free.get(n), need, -1);
                place(next + 1, placed + 1);
                take(free.get(n), need, 1);
            }
        }
        place(next + 1, placed);
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
