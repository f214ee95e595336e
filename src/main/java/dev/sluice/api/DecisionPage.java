package dev.sluice.api;

import dev.sluice.record.KeptDecision;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of {@code /api/v1/decisions}.
 *
 * @param total how many decisions there were since the start
 * @param leftOut how many of the decisions that were found are not in the answer, because it would be too long
 */
record DecisionPage(long total, List<DecisionDocument> decisions, int leftOut) {

    /**
     * Three times as much as a thousand ordinary decisions have; decisions about hostile pods have a hundred times as
     * much.
     */
    private static final int MOST_LETTERS = 4 * 1_024 * 1_024;

    /** Those at the end are left out where the answer would become too long for the heap. */
    static DecisionPage of(List<KeptDecision> found, long total, String epoch) {
        List<DecisionDocument> shown = new ArrayList<>();
        int letters = 0;
        for (KeptDecision decision : found) {
            DecisionDocument document = DecisionDocument.of(decision, epoch);
            letters += ApiJson.text(document).length();
            if (letters > MOST_LETTERS) {
                break;
            }
            shown.add(document);
        }
        return new DecisionPage(total, shown, found.size() - shown.size());
    }
}
