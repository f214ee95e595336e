package dev.sluice.doctor.report;

import java.util.List;

/** A page with a title, a subtitle and sections. */
public record ReportPage(String title, String subtitle, List<PageSection> sections) {

    public ReportPage {
        sections = List.copyOf(sections);
    }

    /** A section of a page. A section without blocks is not shown. */
    public record PageSection(String title, List<ReportPageBlock> blocks) {
        public PageSection {
            blocks = List.copyOf(blocks);
        }
    }
}
