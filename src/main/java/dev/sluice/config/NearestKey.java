package dev.sluice.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the known key that a user may have meant. */
final class NearestKey {

    private NearestKey() {}

    /** The known key with the fewest edits, if they are few enough; case, dashes and underscores do not count. */
    static Optional<String> to(String written, Collection<String> known) {
        String wanted = folded(written);
        return known.stream()
                .filter(key -> edits(wanted, folded(key)) <= mostEdits(key))
                .min(Comparator.comparingInt(key -> edits(wanted, folded(key))));
    }

    /** With more edits than this, a short key would become another word. */
    private static int mostEdits(String key) {
        return Math.max(1, key.length() / 3);
    }

    private static String folded(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** The optimal string alignment distance: characters are added, removed, replaced, or swapped with a neighbour. */
    private static int edits(String from, String to) {
        if (from.length() > 2 * to.length()) {
            return Integer.MAX_VALUE;
        }
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, i, j, from, to);
            }
        }
        return cost[from.length()][to.length()];
    }

    private static int cheapest(int[][] cost, int i, int j, String from, String to) {
        int replaced = cost[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int cheapest = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(cheapest, cost[i - 2][j - 2] + 1) : cheapest;
    }
}
