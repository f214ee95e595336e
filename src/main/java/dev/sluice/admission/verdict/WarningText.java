package dev.sluice.admission.verdict;

/** Text as the API server passes it on to users: one line, and not too long. */
final class WarningText {

    /** The API server cuts warnings beyond 256 characters; a margin is left for what it puts around them. */
    static final int LONGEST = 240;

    private static final String CUT = "...";

    private WarningText() {}

    /** One line without control characters, which the API server would drop with the whole warning. */
    static String sentence(String text) {
        return shortened(printable(text), LONGEST);
    }

    /** The refusal names the asked resource and is never cut; names can take 308 characters. */
    static String denial(String refusal, String whatWouldWork) {
        return shortened(printable(refusal + whatWouldWork), Math.max(LONGEST, refusal.length()));
    }

    private static String printable(String text) {
        if (isPrintable(text)) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? ' ' : c)
                .forEach(line::appendCodePoint);
        return line.toString();
    }

    private static boolean isPrintable(String text) {
        for (int i = 0; i < text.length(); i++) {
            // One comparison checks both bounds: below the blank, the difference wraps around and is large.
            if ((char) (text.charAt(i) - ' ') > '~' - ' ') {
                return false;
            }
        }
        return true;
    }

    /**
     * True of a sentence that was too long. The cut may be one character shorter, to keep a pair of surrogates whole.
     */
    static boolean isCut(String sentence) {
        return sentence.length() >= LONGEST - 1 && sentence.endsWith(CUT);
    }

    static String shortened(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int cut = longest - 3;
        return text.substring(0, Character.isHighSurrogate(text.charAt(cut - 1)) ? cut - 1 : cut) + CUT;
    }
}
