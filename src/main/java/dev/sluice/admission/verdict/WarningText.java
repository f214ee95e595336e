package dev.sluice.admission.verdict;

import dev.sluice.text.SafeText;
import dev.sluice.text.ShortText;

/** Creates text that the API server passes to users. The text is on one line and has a limited length. */
final class WarningText {

    /**
     * The maximum length of a warning in characters. The API server cuts warnings after 256 characters, and adds its
     * own text to them.
     */
    static final int LONGEST = 240;

    private WarningText() {}

    /**
     * Returns a warning on one line without control characters. The API server would drop a warning that contains them.
     */
    static String sentence(String text) {
        return ShortText.of(SafeText.line(text), LONGEST);
    }

    /**
     * Returns the message of a denial. It is never cut: a 403 response may be long, and the names in the message are
     * already limited.
     */
    static String denial(String refusal, String whatWouldWork) {
        return SafeText.line(refusal + whatWouldWork);
    }

    /** Returns true if the sentence is so long that it is cut. */
    static boolean isCut(String sentence) {
        return ShortText.isCut(sentence, LONGEST);
    }
}
