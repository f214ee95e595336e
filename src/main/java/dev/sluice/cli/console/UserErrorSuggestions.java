package dev.sluice.cli.console;

import dev.sluice.text.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the known names that a user may have meant by a misspelt name. */
public final class UserErrorSuggestions {

    private static final int MOST = 3;

    private record SimilarName(String name, int edits) {}

    private UserErrorSuggestions() {}

    /** Returns the end of a sentence that lists the most similar names, or says that no name is similar. */
    public static String sentence(String written, Collection<String> known) {
        List<String> similar = like(written, known);
        return similar.isEmpty() ? "no name is similar" : "nearest: " + String.join(", ", similar);
    }

    /**
     * Returns at most {@link #MOST} names that need few edits to become {@code written}. The name with the fewest edits
     * comes first. Names that need more than twice as many edits are left out. The number of edits is also limited to
     * half the length of {@code written}, but to no less than 2.
     */
    private static List<String> like(String written, Collection<String> known) {
        int mostEdits = Math.max(2, written.length() / 2);
        List<SimilarName> closest = known.stream()
                .filter(name -> Math.abs(name.length() - written.length()) <= mostEdits)
                .map(name -> new SimilarName(name, EditDistance.between(written, name)))
                .filter(similar -> similar.edits() <= mostEdits)
                .sorted(Comparator.comparingInt(SimilarName::edits).thenComparing(SimilarName::name))
                .limit(MOST)
                .toList();
        return closest.stream()
                .filter(similar -> similar.edits() <= 2 * closest.getFirst().edits())
                .map(SimilarName::name)
                .toList();
    }
}
