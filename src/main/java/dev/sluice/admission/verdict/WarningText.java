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

    /** The message of a 403 may be long, so a denial is never cut: what it names is limited where it is named. */
    static String denial(String refusal, String whatWouldWork) {
        return SafeText.line(refusal + whatWouldWork);
    }

    /** True of a sentence that was too long. */
    static boolean isCut(String sentence) {
        return ShortText.isCut(sentence, LONGEST);
    }
}
