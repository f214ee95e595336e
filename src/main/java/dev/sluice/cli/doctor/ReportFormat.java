package dev.sluice.cli.doctor;

import dev.sluice.doctor.report.HtmlPage;
import dev.sluice.doctor.report.MarkdownPage;
import dev.sluice.doctor.report.ReportPage;
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
