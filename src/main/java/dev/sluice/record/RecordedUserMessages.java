package dev.sluice.record;

import dev.sluice.admission.verdict.VerdictTexts;
import java.util.List;

/**
 * The sentences that the user received, limited in number and length. A sentence has at most 240 characters. Only the
 * message of a denial may be longer, by the name of the requested resource.
 *
 * @param warnings the first warnings, at most {@link #MOST_WARNINGS}
 * @param omitted the number of warnings beyond that limit
 * @param message the message of a denial; empty for an admission
 */
public record RecordedUserMessages(List<String> warnings, int omitted, String message) {

    /**
     * The maximum number of warnings that are kept. A pod has one warning for each GPU resource that it names, and
     * users read only a few.
     */
    public static final int MOST_WARNINGS = 6;

    private static final RecordedUserMessages NOTHING = new RecordedUserMessages(List.of(), 0, "");

    public RecordedUserMessages {
        warnings = List.copyOf(warnings);
    }

    public static RecordedUserMessages of(VerdictTexts words) {
        List<String> all = words.warnings();
        if (all.isEmpty() && words.message().isEmpty()) {
            return NOTHING;
        }
        return all.size() <= MOST_WARNINGS
                ? new RecordedUserMessages(all, 0, words.message())
                : new RecordedUserMessages(all.subList(0, MOST_WARNINGS), all.size() - MOST_WARNINGS, words.message());
    }
}
