package dev.sluice.cli.status;

import dev.sluice.api.InstallationStatusDocument;
import dev.sluice.api.InstallationStatusDocument.CheckResult;
import dev.sluice.api.InstallationStatusDocument.StatusCheck;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.TerminalText;
import dev.sluice.text.CountText;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Prints the checks as a table. Long texts in the last column are broken into lines. */
record StatusText(TerminalPage page) {

    private static final int RESULT = 9;
    private static final int SUBJECT = 14;

    void print(InstallationStatusDocument status) {
        page.line(page.style().faint("RESULT   CHECK         WHAT IS KNOWN"));
        status.checks().forEach(this::print);
        page.line();
        page.line(summary(status));
    }

    private void print(StatusCheck check) {
        String subject = check.check().name().toLowerCase(Locale.ROOT);
        String hanging = " ".repeat(RESULT + SUBJECT);
        page.words(
                "",
                hanging,
                coloured(check.result())
                        .then(" ".repeat(RESULT - check.result().name().length())
                                + subject
                                + " ".repeat(SUBJECT - subject.length())
                                + check.evidence()));
        if (check.next() != null) {
            page.words(hanging + "next: ", hanging + "      ", check.next());
        }
    }

    private TerminalText coloured(CheckResult result) {
        return switch (result) {
            case OK -> page.style().good(result.name());
            case UNKNOWN, WARN -> page.style().doubtful(result.name());
            case FAIL -> page.style().bad(result.name());
        };
    }

    private static String summary(InstallationStatusDocument status) {
        Map<CheckResult, Integer> counts = new EnumMap<>(CheckResult.class);
        status.checks().forEach(check -> counts.merge(check.result(), 1, Integer::sum));
        StringJoiner parts = new StringJoiner(", ");
        counts.forEach((result, count) -> parts.add(count + " " + result));
        return CountText.of(status.checks().size(), "check") + ": " + parts + ". "
                + (status.proved()
                        ? "The API server calls the gateway, and the gateway decides."
                        : "It is NOT proved that the gateway decides about pods.");
    }
}
