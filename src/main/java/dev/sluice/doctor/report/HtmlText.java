package dev.sluice.doctor.report;

/** Escapes texts for the contents and for the quoted attributes of HTML. */
final class HtmlText {

    private HtmlText() {}

    static String of(String text) {
        String safe = SafeText.of(text);
        StringBuilder escaped = new StringBuilder(safe.length() + 16);
        for (int i = 0; i < safe.length(); i++) {
            switch (safe.charAt(i)) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(safe.charAt(i));
            }
        }
        return escaped.toString();
    }
}
