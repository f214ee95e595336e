package dev.sluice.api;

import dev.sluice.record.NumberedDecisionRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of {@code /api/v1/decisions}.
 *
 * @param total the number of decisions since the start
 * @param leftOut the number of decisions that match the query and were left out to limit the size of the answer
 */
record DecisionPage(long total, List<DecisionDocument> decisions, int leftOut) {

    /**
     * The maximum length of the answer in characters. A thousand ordinary decisions need a third of it, but a decision
     * about a hostile pod may be a hundred times as long as an ordinary one.
     */
    private static final int MOST_LETTERS = 4 * 1_024 * 1_024;

    /** Creates a page. If the answer would become too long, decisions at the end of {@code found} are left out. */
    static DecisionPage of(List<NumberedDecisionRecord> found, long total, String epoch) {
        List<DecisionDocument> shown = new ArrayList<>();
        int letters = 0;
        for (NumberedDecisionRecord decision : found) {
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
