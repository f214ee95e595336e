package dev.sluice.record;

import dev.sluice.admission.verdict.Words;
import java.util.List;

/**
 * The sentences that the user got, as far as they are kept. Each has 240 characters at most, and the message of a
 * denial may in addition hold the name of the requested resource.
 *
 * @param warnings the first warnings, at most {@link #MOST_WARNINGS}
 * @param omitted the number of further warnings
 * @param message the message of a denial; empty otherwise
 */
public record UserMessages(List<String> warnings, int omitted, String message) {

    /**
     * The maximum number of warnings that are kept. A pod has as many warnings as it names GPU resources, and nobody
     * reads more than a few.
     */
    public static final int MOST_WARNINGS = 6;

    private static final UserMessages NOTHING = new UserMessages(List.of(), 0, "");

    public UserMessages {
        warnings = List.copyOf(warnings);
    }

    public static UserMessages of(Words words) {
        List<String> all = words.warnings();
        if (all.isEmpty() && words.message().isEmpty()) {
            return NOTHING;
        }
        return all.size() <= MOST_WARNINGS
                ? new UserMessages(all, 0, words.message())
                : new UserMessages(all.subList(0, MOST_WARNINGS), all.size() - MOST_WARNINGS, words.message());
    }
}
