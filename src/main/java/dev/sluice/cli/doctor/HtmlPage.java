package dev.sluice.cli.doctor;

import dev.sluice.cli.doctor.ReportDeviceBar.BarPart;
import dev.sluice.cli.doctor.ReportPage.PageSection;
import dev.sluice.cli.doctor.ReportPageBlock.Grid;
import dev.sluice.cli.doctor.ReportPageBlock.GridCell;
import dev.sluice.cli.doctor.ReportPageBlock.GridColumn;
import dev.sluice.cli.doctor.ReportPageBlock.LabelledBar;
import dev.sluice.cli.doctor.ReportPageBlock.NodePicture;
import dev.sluice.cli.doctor.ReportPageBlock.Notice;
import dev.sluice.cli.doctor.ReportPageBlock.NoticeLine;
import dev.sluice.cli.doctor.ReportPageBlock.Paragraph;
import dev.sluice.cli.doctor.ReportPageBlock.Pictures;
import dev.sluice.cli.doctor.ReportPageBlock.Tile;
import dev.sluice.cli.doctor.ReportPageBlock.Tiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Writes a page as one HTML file. The file loads no other files and contains no scripts. */
final class HtmlPage {

    /**
     * The template. Its content security policy is a second protection: even if a text were inserted as markup, the
     * browser would not run scripts or load files.
     */
    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>%s</title>
            <style>
            %s</style>
            </head>
            <body>
            <main>
            <h1>%s</h1>
            <p class="sub">%s</p>
            %s</main>
            </body>
            </html>
            """;

    private static final String SECTION = """
            <section id="s%s">
            %s%s</section>
            """;

    private static final String NOTICE = """
            <div class="notice %s">
            <h3>%s</h3>
            %s</div>
            """;

    private static final String GRID = """
            <div class="wide"><table>
            <thead><tr>
            %s</tr></thead>
            <tbody>
            %s</tbody></table></div>
            %s""";

    private static final String PICTURES = """
            <div class="legend">
            %s</div>
            <div class="nodes">
            %s</div>
            """;

    private static final String LEGEND = """
            <span><svg viewBox="0 0 16 16" aria-hidden="true">\
            <rect class="%s" x="1" y="1" width="14" height="14" rx="2"/></svg>%s</span>
            """;

    private static final String NODE = """
            <div class="node %s">
            <h3>%s</h3>
            <p class="model">%s</p>
            %s%s</div>
            """;

    private HtmlPage() {}

    /** Returns the complete document. */
    static String of(ReportPage page) {
        List<PageSection> sections = page.sections().stream()
                .filter(section -> !section.blocks().isEmpty())
                .toList();
        List<Integer> numbers = IntStream.range(0, sections.size()).boxed().toList();
        Html contents = Html.of("<nav>\n%s</nav>\n", Html.each(numbers, number -> link(sections.get(number), number)));
        Html body = Html.each(
                numbers,
                number -> Html.of("%s%s", section(sections.get(number), number), number == 0 ? contents : Html.NONE));
        return Html.of(PAGE, page.title(), styleSheet(), page.title(), page.subtitle(), body)
                .markup();
    }

    /** Returns the style sheet, with rules for light and dark screens, narrow screens, and paper. */
    private static Html styleSheet() {
        try (InputStream css = Objects.requireNonNull(HtmlPage.class.getResourceAsStream("report.css"))) {
            return new Html(new String(css.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Html link(PageSection section, int number) {
        return section.title().isEmpty() ? Html.NONE : Html.of("<a href=\"#s%s\">%s</a>\n", number, section.title());
    }

    private static Html section(PageSection section, int number) {
        Html title = section.title().isEmpty() ? Html.NONE : Html.of("<h2>%s</h2>\n", section.title());
        return Html.of(SECTION, number, title, Html.each(section.blocks(), HtmlPage::block));
    }

    private static Html block(ReportPageBlock block) {
        return switch (block) {
            case Paragraph paragraph -> Html.of("<p>%s</p>\n", paragraph.text());
            case Tiles tiles -> Html.of("<div class=\"tiles\">\n%s</div>\n", Html.each(tiles.tiles(), HtmlPage::tile));
            case Notice notice ->
                Html.of(NOTICE, notice.tone().style(), notice.title(), Html.each(notice.lines(), HtmlPage::line));
            case Grid grid -> grid(grid);
            case Pictures pictures ->
                Html.of(
                        PICTURES,
                        Html.each(List.of(BarPart.values()), part -> Html.of(LEGEND, part.style(), part.words())),
                        Html.each(pictures.nodes(), HtmlPage::node));
        };
    }

    private static Html tile(Tile tile) {
        return Html.of(
                "<div class=\"tile %s\"><b>%s</b><span>%s</span></div>\n",
                tile.tone().style(), tile.number(), tile.label());
    }

    private static Html line(NoticeLine line) {
        Html lead = line.lead().isEmpty() ? Html.NONE : Html.of("<span class=\"lead\">%s:</span> ", line.lead());
        return Html.of("<p>%s%s</p>\n", lead, line.command() ? code(line.text()) : line.text());
    }

    private static Html code(String text) {
        return text.isEmpty() ? Html.NONE : Html.of("<code>%s</code>", text);
    }

    private static Html grid(Grid grid) {
        return Html.of(
                GRID,
                Html.each(grid.columns(), HtmlPage::heading),
                Html.each(grid.rows(), row -> row(row, grid.columns())),
                grid.note().isEmpty() ? Html.NONE : Html.of("<p class=\"note\">%s</p>\n", grid.note()));
    }

    private static Html heading(GridColumn column) {
        return column.isNumber()
                ? Html.of("<th class=\"number\">%s</th>\n", column.title())
                : Html.of("<th>%s</th>\n", column.title());
    }

    private static Html row(List<GridCell> cells, List<GridColumn> columns) {
        List<Integer> numbers = IntStream.range(0, cells.size()).boxed().toList();
        return Html.of("<tr>\n%s</tr>\n", Html.each(numbers, number -> cell(cells.get(number), columns.get(number))));
    }

    private static Html cell(GridCell cell, GridColumn column) {
        Object text = column.isCode() ? code(cell.text()) : cell.text();
        return Html.of(
                "<td class=\"%s%s\">%s</td>\n",
                column.isNumber() ? "number " : "",
                cell.tone().style(),
                cell.bar().isEmpty() ? text : SvgBar.shares(cell.bar().getFirst()));
    }

    private static Html node(NodePicture node) {
        Html marks = node.marks().isEmpty()
                ? Html.NONE
                : Html.of(
                        "<p class=\"marks\">\n%s</p>\n",
                        Html.each(node.marks(), mark -> Html.of("<span class=\"mark\">%s</span>\n", mark)));
        return Html.of(
                NODE, node.tone().style(), node.name(), node.model(), marks, Html.each(node.bars(), HtmlPage::device));
    }

    private static Html device(LabelledBar bar) {
        return Html.of(
                "<div class=\"device\">%s%s<span>%s</span></div>\n",
                code(bar.label()), SvgBar.boxes(bar.bar()), bar.bar().words());
    }
}
