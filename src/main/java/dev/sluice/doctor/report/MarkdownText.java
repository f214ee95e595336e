package dev.sluice.doctor.report;

import java.util.regex.Pattern;

/** Escapes texts for GitHub's Markdown, so that none of them formats, links, mentions or embeds anything. */
final class MarkdownText {

    private static final Pattern SPECIAL = Pattern.compile("[\\\\`*_\\[\\]<>|~&#$]");

    /** What would begin a list, a quotation or a rule at the start of a line. */
    private static final Pattern START = Pattern.compile("^(\\s*)([-+=])");

    private static final Pattern NUMBER_START = Pattern.compile("^(\\s*\\d{1,9})([.)])(?=\\s|$)");

    private MarkdownText() {}

    static String of(String text) {
        String escaped = SPECIAL.matcher(SafeText.of(text)).replaceAll("\\\\$0");
        return START.matcher(NUMBER_START.matcher(escaped).replaceFirst("$1\\\\$2"))
                .replaceFirst("$1\\\\$2")
                .replace("://", ":\\//")
                .replaceAll("(?i)(www)\\.", "$1\\\\.")
                .replace("@", "@<!-- -->");
    }

    /** As code, in which nothing is special but the fence, and the bar that divides the cells of tables. */
    static String code(String text) {
        String safe = SafeText.of(text).replace('`', '\'').replace("|", "\\|");
        return safe.isBlank() ? "" : "`" + safe + "`";
    }
}
