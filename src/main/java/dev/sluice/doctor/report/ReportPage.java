package dev.sluice.doctor.report;

import java.util.List;

/** A document: a title, a line below it, and sections. */
public record ReportPage(String title, String subtitle, List<PageSection> sections) {

    public ReportPage {
        sections = List.copyOf(sections);
    }

    /** A section; without blocks it is left out. */
    public record PageSection(String title, List<PageBlock> blocks) {
        public PageSection {
            blocks = List.copyOf(blocks);
        }
    }
}
