package dev.sluice.cli.report;

import dev.sluice.cli.report.page.HtmlPage;
import dev.sluice.cli.report.page.MarkdownPage;
import dev.sluice.cli.report.page.ReportPage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The formats of a report, by the end of the file's name. */
enum ReportFormat {
    MARKDOWN(".md"),
    HTML(".html");

    private final String suffix;

    ReportFormat(String suffix) {
        this.suffix = suffix;
    }

    static Optional<ReportFormat> of(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(format -> name.endsWith(format.suffix))
                .findFirst();
    }

    String text(ReportPage page) {
        return switch (this) {
            case MARKDOWN -> MarkdownPage.of(page);
            case HTML -> HtmlPage.of(page);
        };
    }
}
