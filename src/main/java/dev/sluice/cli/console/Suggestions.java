package dev.sluice.cli.console;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Suggests the known names that a user may have meant. */
public final class Suggestions {

    private static final int MOST = 3;

    private record SimilarName(String name, int edits) {}

    private Suggestions() {}

    /**
     * The known names that are most similar, the closest first; none that has more than twice as many differences as
     * that.
     */
    public static List<String> like(String written, Collection<String> known) {
        List<SimilarName> closest = known.stream()
                .map(name -> new SimilarName(name, edits(written, name)))
                .sorted(Comparator.comparingInt(SimilarName::edits).thenComparing(SimilarName::name))
                .limit(MOST)
                .toList();
        return closest.stream()
                .filter(similar -> similar.edits() <= 2 * closest.getFirst().edits())
                .map(SimilarName::name)
                .toList();
    }

    /** The Levenshtein distance, calculated with one row. */
    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
