package dev.sluice.ledger.placement;

import dev.sluice.cluster.quantity.Amounts;
import java.util.Arrays;

/**
 * Adds up the requests of the bound pods of one node, by priority. The sums are in small sorted arrays, because most
 * nodes have pods of only one or two priorities.
 */
final class PlacementAmountsByPriority {

    private int[] priorities = {};
    private Amounts[] sums = {};

    void add(int priority, Amounts amounts) {
        int at = Arrays.binarySearch(priorities, priority);
        if (at >= 0) {
            sums[at] = sums[at].plus(amounts);
            return;
        }
        int place = -at - 1;
        int[] morePriorities = new int[priorities.length + 1];
        Amounts[] moreSums = new Amounts[priorities.length + 1];
        for (int i = 0; i < morePriorities.length; i++) {
            morePriorities[i] = i == place ? priority : priorities[i < place ? i : i - 1];
            moreSums[i] = i == place ? amounts : sums[i < place ? i : i - 1];
        }
        priorities = morePriorities;
        sums = moreSums;
    }

    /**
     * Subtracts {@code amounts} from the sum for a priority. If the sum becomes zero, its entry is removed, so that
     * there are never more entries than pods.
     */
    void subtract(int priority, Amounts amounts) {
        int at = Arrays.binarySearch(priorities, priority);
        Amounts left = sums[at].minus(amounts);
        sums[at] = left;
        if (left.isZero()) {
            int[] fewer = new int[priorities.length - 1];
            Amounts[] fewerSums = new Amounts[fewer.length];
            for (int i = 0; i < fewer.length; i++) {
                fewer[i] = priorities[i < at ? i : i + 1];
                fewerSums[i] = sums[i < at ? i : i + 1];
            }
            priorities = fewer;
            sums = fewerSums;
        }
    }

    /** Returns the sum over all priorities below {@code priority}. */
    Amounts below(int priority) {
        Amounts sum = Amounts.NONE;
        for (int i = 0; i < priorities.length && priorities[i] < priority; i++) {
            sum = sum.plus(sums[i]);
        }
        return sum;
    }
}
