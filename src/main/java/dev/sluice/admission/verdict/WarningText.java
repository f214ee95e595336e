package dev.sluice.admission.verdict;

import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;

/** Text as the API server passes it on to users: one line, and not too long. */
final class WarningText {

    /** The API server cuts warnings beyond 256 characters; a margin is left for what it puts around them. */
    static final int LONGEST = 240;

    private WarningText() {}

    /** One line without control characters, which the API server would drop with the whole warning. */
    static String sentence(String text) {
        return ShortText.of(SafeText.line(text), LONGEST);
    }

    /** The refusal names the asked resource and is never cut; names can take 308 characters. */
    static String denial(String refusal, String whatWouldWork) {
        String safe = SafeText.line(refusal);
        return ShortText.of(safe + SafeText.line(whatWouldWork), Math.max(LONGEST, safe.length()));
    }

    /** True of a sentence that was too long. */
    static boolean isCut(String sentence) {
        return ShortText.isCut(sentence, LONGEST);
    }
}
