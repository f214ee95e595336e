package dev.sluice.doctor.report;

import dev.sluice.doctor.report.DeviceBar.BarPart;
import dev.sluice.doctor.report.DeviceBar.BarRun;
import dev.sluice.doctor.report.PageBlock.Grid;
import dev.sluice.doctor.report.PageBlock.GridCell;
import dev.sluice.doctor.report.PageBlock.GridColumn;
import dev.sluice.doctor.report.PageBlock.LabelledBar;
import dev.sluice.doctor.report.PageBlock.NodePicture;
import dev.sluice.doctor.report.PageBlock.Notice;
import dev.sluice.doctor.report.PageBlock.NoticeLine;
import dev.sluice.doctor.report.PageBlock.Paragraph;
import dev.sluice.doctor.report.PageBlock.Pictures;
import dev.sluice.doctor.report.PageBlock.Tile;
import dev.sluice.doctor.report.PageBlock.Tiles;
import dev.sluice.doctor.report.ReportPage.PageSection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a page as GitHub's Markdown; bars are made of characters. */
public final class MarkdownPage {

    private static final int BAR_CELLS = 32;

    private final StringBuilder out = new StringBuilder();

    private MarkdownPage() {}

    /** The whole document. */
    public static String of(ReportPage page) {
        MarkdownPage written = new MarkdownPage();
        written.lines("# " + MarkdownText.of(page.title()), "", MarkdownText.of(page.subtitle()), "");
        page.sections().stream().filter(section -> !section.blocks().isEmpty()).forEach(written::section);
        return written.out.toString().stripTrailing() + "\n";
    }

    private void lines(String... lines) {
        for (String line : lines) {
            out.append(line).append('\n');
        }
    }

    private void section(PageSection section) {
        if (!section.title().isEmpty()) {
            lines("## " + MarkdownText.of(section.title()), "");
        }
        section.blocks().forEach(this::block);
    }

    private void block(PageBlock block) {
        switch (block) {
            case Paragraph paragraph -> lines(MarkdownText.of(paragraph.text()), "");
            case Tiles tiles -> tiles(tiles.tiles());
            case Notice notice -> notice(notice);
            case Grid grid -> grid(grid);
            case Pictures pictures -> pictures(pictures);
        }
    }

    private void tiles(List<Tile> tiles) {
        for (Tile tile : tiles) {
            lines("- **" + MarkdownText.of(tile.number()) + "** " + MarkdownText.of(tile.label()));
        }
        lines("");
    }

    private void notice(Notice notice) {
        lines("### " + MarkdownText.of(notice.title()), "");
        for (NoticeLine line : notice.lines()) {
            String lead = line.lead().isEmpty() ? "" : MarkdownText.of(line.lead()) + ": ";
            lines(lead + (line.command() ? MarkdownText.code(line.text()) : MarkdownText.of(line.text())), "");
        }
    }

    private void grid(Grid grid) {
        lines(row(grid.columns().stream()
                .map(column -> MarkdownText.of(column.title()))
                .toList()));
        lines(row(grid.columns().stream()
                .map(column -> column.isNumber() ? "---:" : "---")
                .toList()));
        for (List<GridCell> cells : grid.rows()) {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < cells.size(); i++) {
                texts.add(cell(cells.get(i), grid.columns().get(i)));
            }
            lines(row(texts));
        }
        lines("");
        note(grid.note());
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String cell(GridCell cell, GridColumn column) {
        if (!cell.bar().isEmpty()) {
            return MarkdownText.code(bar(cell.bar().getFirst()));
        }
        String text = column.isCode() ? MarkdownText.code(cell.text()) : MarkdownText.of(cell.text());
        return cell.tone() == PageTone.BAD && !text.isEmpty() ? "**" + text + "**" : text;
    }

    private void note(String note) {
        if (!note.isEmpty()) {
            lines(MarkdownText.of(note), "");
        }
    }

    private void pictures(Pictures pictures) {
        lines(
                "`" + BarPart.TAKEN.mark() + "` allocated, `" + BarPart.RESERVED.mark() + "` reserved, `"
                        + BarPart.FREE.mark() + "` available, `" + BarPart.BROKEN.mark() + "` not offered",
                "");
        for (NodePicture node : pictures.nodes()) {
            String marks = String.join(", ", node.marks());
            lines(
                    "**" + MarkdownText.of(node.name()) + "**"
                            + (node.model().isEmpty() ? "" : " " + MarkdownText.of(node.model()))
                            + (marks.isEmpty() ? "" : " (" + MarkdownText.of(marks) + ")"),
                    "");
            bars(node.bars());
        }
    }

    /**
     * Writes a code block, so that the bars stand below each other. No character is special in it, and a label cannot
     * end it.
     */
    private void bars(List<LabelledBar> bars) {
        if (bars.isEmpty()) {
            return;
        }
        int width = bars.stream()
                .mapToInt(bar -> SafeText.of(bar.label()).length())
                .max()
                .orElse(0);
        lines("```text");
        for (LabelledBar bar : bars) {
            String label = SafeText.of(bar.label()).replace('`', '\'');
            lines(label + " ".repeat(width - label.length()) + "  " + bar(bar.bar()) + "  "
                    + bar.bar().words());
        }
        lines("```", "");
    }

    private static String bar(DeviceBar bar) {
        StringBuilder text = new StringBuilder();
        for (BarRun run : bar.runs(BAR_CELLS)) {
            text.append(String.valueOf(run.part().mark()).repeat((int) run.cells()));
        }
        return text.toString();
    }
}
