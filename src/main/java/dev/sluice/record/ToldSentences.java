package dev.sluice.record;

import dev.sluice.admission.wording.Words;
import java.util.List;

/**
 * The sentences of a decision, as far as they are kept. Each has 240 letters, and that of a denial the name of the
 * asked resource besides.
 *
 * @param warnings the first ones, at most {@link #MOST_WARNINGS}
 * @param untold how many warnings there were beyond these
 * @param message of a denial; empty otherwise
 */
public record ToldSentences(List<String> warnings, int untold, String message) {

    /** A pod has as many warnings as it names GPU resources, and nobody reads more than a few. */
    public static final int MOST_WARNINGS = 6;

    private static final ToldSentences NOTHING = new ToldSentences(List.of(), 0, "");

    public ToldSentences {
        warnings = List.copyOf(warnings);
    }

    public static ToldSentences of(Words words) {
        List<String> all = words.warnings();
        if (all.isEmpty() && words.message().isEmpty()) {
            return NOTHING;
        }
        return all.size() <= MOST_WARNINGS
                ? new ToldSentences(all, 0, words.message())
                : new ToldSentences(all.subList(0, MOST_WARNINGS), all.size() - MOST_WARNINGS, words.message());
    }
}
