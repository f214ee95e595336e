package dev.sluice.cli.offline;

import dev.sluice.cli.console.TerminalPage;
import dev.sluice.text.CountText;
import java.util.List;

/** Prints the results as text: one line for each case, and the differences below each failed case. */
record PolicyTestText(TerminalPage page) {

    private static final String INDENT = "        ";

    void print(List<CaseResult> results) {
        results.forEach(this::result);
        long passed = results.stream().filter(CaseResult::hasPassed).count();
        long failed = results.size() - passed;
        page.line();
        page.line(
                failed == 0
                        ? page.style()
                                .good(CountText.of(passed, "case") + " passed")
                                .then(".")
                        : page.style()
                                .bad(CountText.of(failed, "case") + " failed")
                                .then(", " + CountText.number(passed) + " passed."));
    }

    private void result(CaseResult result) {
        if (result.hasPassed()) {
            page.words(
                    "",
                    "      ",
                    page.style().good("ok").then("    " + result.one().name()));
            return;
        }
        page.words(
                "", "      ", page.style().bad("FAIL").then("  " + result.one().name()));
        page.line(INDENT + "case    " + result.one().place());
        page.line(INDENT + "policy  " + result.policy());
        result.differences().forEach(difference -> page.words(INDENT, INDENT + "  ", difference.sentence()));
        if (result.actual().sentences().isEmpty()) {
            page.words(INDENT, INDENT + "  ", "The user would read nothing.");
        } else {
            page.line(INDENT + "The user would read:");
            result.actual().sentences().forEach(sentence -> page.words(INDENT + "  ", INDENT + "    ", sentence));
        }
        if (!result.one().why().isEmpty()) {
            page.words(
                    INDENT,
                    INDENT + "  ",
                    "Why the case exists: " + result.one().why().replaceAll("\\s+", " "));
        }
    }
}
