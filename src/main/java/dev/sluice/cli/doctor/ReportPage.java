package dev.sluice.cli.doctor;

import java.util.List;

/** A page with a title, a subtitle and sections. */
record ReportPage(String title, String subtitle, List<PageSection> sections) {

    ReportPage {
        sections = List.copyOf(sections);
    }

    /** A section of a page. A section without blocks is not shown. */
    record PageSection(String title, List<ReportPageBlock> blocks) {
        PageSection {
            blocks = List.copyOf(blocks);
        }
    }
}
