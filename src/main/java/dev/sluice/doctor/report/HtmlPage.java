package dev.sluice.doctor.report;

import dev.sluice.doctor.report.DeviceBar.BarPart;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes a page as one HTML file, which loads nothing and runs nothing. */
public final class HtmlPage {

    /** Should a text ever get through as markup, the browser still neither runs nor loads anything. */
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            """;

    private static final Map<BarPart, String> LEGEND = Map.of(
            BarPart.TAKEN, "allocated",
            BarPart.RESERVED, "reserved for pods that wait",
            BarPart.FREE, "available",
            BarPart.BROKEN, "not offered");

    private final StringBuilder out = new StringBuilder(HEAD);

    private HtmlPage() {}

    /** The whole document. */
    public static String of(ReportPage page) {
        HtmlPage written = new HtmlPage();
        written.document(page);
        return written.out.toString();
    }

    private void document(ReportPage page) {
        lines("<title>" + HtmlText.of(page.title()) + "</title>", "<style>");
        out.append(StyleSheet.TEXT);
        lines("</style>", "</head>", "<body>", "<main>", "<h1>" + HtmlText.of(page.title()) + "</h1>");
        lines("<p class=\"sub\">" + HtmlText.of(page.subtitle()) + "</p>");
        List<PageSection> sections = page.sections().stream()
                .filter(section -> !section.blocks().isEmpty())
                .toList();
        for (int i = 0; i < sections.size(); i++) {
            section(sections.get(i), i);
            if (i == 0) {
                contents(sections);
            }
        }
        lines("</main>", "</body>", "</html>");
    }

    private void lines(String... lines) {
        for (String line : lines) {
            out.append(line).append('\n');
        }
    }

    private void contents(List<PageSection> sections) {
        lines("<nav>");
        for (int i = 0; i < sections.size(); i++) {
            if (!sections.get(i).title().isEmpty()) {
                lines("<a href=\"#s" + i + "\">" + HtmlText.of(sections.get(i).title()) + "</a>");
            }
        }
        lines("</nav>");
    }

    private void section(PageSection section, int number) {
        lines("<section id=\"s" + number + "\">");
        if (!section.title().isEmpty()) {
            lines("<h2>" + HtmlText.of(section.title()) + "</h2>");
        }
        section.blocks().forEach(this::block);
        lines("</section>");
    }

    private void block(PageBlock block) {
        switch (block) {
            case Paragraph paragraph -> lines("<p>" + HtmlText.of(paragraph.text()) + "</p>");
            case Tiles tiles -> tiles(tiles.tiles());
            case Notice notice -> notice(notice);
            case Grid grid -> grid(grid);
            case Pictures pictures -> pictures(pictures);
        }
    }

    private static String style(PageTone tone) {
        return tone.name().toLowerCase(Locale.ROOT);
    }

    private void tiles(List<Tile> tiles) {
        lines("<div class=\"tiles\">");
        for (Tile tile : tiles) {
            lines("<div class=\"tile " + style(tile.tone()) + "\"><b>" + HtmlText.of(tile.number()) + "</b><span>"
                    + HtmlText.of(tile.label()) + "</span></div>");
        }
        lines("</div>");
    }

    private void notice(Notice notice) {
        lines("<div class=\"notice " + style(notice.tone()) + "\">", "<h3>" + HtmlText.of(notice.title()) + "</h3>");
        for (NoticeLine line : notice.lines()) {
            String lead = line.lead().isEmpty() ? "" : "<span class=\"lead\">" + HtmlText.of(line.lead()) + ":</span> ";
            lines("<p>" + lead + (line.command() ? code(line.text()) : HtmlText.of(line.text())) + "</p>");
        }
        lines("</div>");
    }

    private static String code(String text) {
        return text.isEmpty() ? "" : "<code>" + HtmlText.of(text) + "</code>";
    }

    private void grid(Grid grid) {
        lines("<div class=\"wide\"><table>", "<thead><tr>");
        for (GridColumn column : grid.columns()) {
            lines("<th" + (column.isNumber() ? " class=\"number\"" : "") + ">" + HtmlText.of(column.title()) + "</th>");
        }
        lines("</tr></thead>", "<tbody>");
        for (List<GridCell> cells : grid.rows()) {
            lines("<tr>");
            for (int i = 0; i < cells.size(); i++) {
                cell(cells.get(i), grid.columns().get(i));
            }
            lines("</tr>");
        }
        lines("</tbody></table></div>");
        note(grid.note());
    }

    private void cell(GridCell cell, GridColumn column) {
        String text = column.isCode() ? code(cell.text()) : HtmlText.of(cell.text());
        lines("<td class=\"" + (column.isNumber() ? "number " : "") + style(cell.tone()) + "\">"
                + (cell.bar().isEmpty() ? text : SvgBar.shares(cell.bar().getFirst())) + "</td>");
    }

    private void note(String note) {
        if (!note.isEmpty()) {
            lines("<p class=\"note\">" + HtmlText.of(note) + "</p>");
        }
    }

    private void pictures(Pictures pictures) {
        lines("<div class=\"legend\">");
        for (BarPart part : BarPart.values()) {
            lines("<span><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><rect class=\"" + part.style()
                    + "\" x=\"1\" y=\"1\" width=\"14\" height=\"14\" rx=\"2\"/></svg>"
                    + LEGEND.get(part) + "</span>");
        }
        lines("</div>", "<div class=\"nodes\">");
        pictures.nodes().forEach(this::node);
        lines("</div>");
    }

    private void node(NodePicture node) {
        lines("<div class=\"node " + style(node.tone()) + "\">", "<h3>" + HtmlText.of(node.name()) + "</h3>");
        lines("<p class=\"model\">" + HtmlText.of(node.model()) + "</p>");
        if (!node.marks().isEmpty()) {
            lines("<p class=\"marks\">");
            node.marks().forEach(mark -> lines("<span class=\"mark\">" + HtmlText.of(mark) + "</span>"));
            lines("</p>");
        }
        for (LabelledBar bar : node.bars()) {
            lines("<div class=\"device\">" + code(bar.label()) + SvgBar.boxes(bar.bar()) + "<span>"
                    + HtmlText.of(bar.bar().words()) + "</span></div>");
        }
        lines("</div>");
    }
}
