package dev.sluice.cli.console;

import dev.sluice.text.SafeText;
import java.util.List;

/**
 * Prints a table whose first row is the heading. Names are aligned to the left and numbers to the right, which the
 * tables of picocli do not support.
 *
 * @param names the number of columns that contain names; they come before the numbers
 */
public record Columns(TerminalPage page, int names) {

    /** The number of blanks between columns. Wide tables use {@link #NARROW_GAP}. */
    private static final int GAP = 3;

    private static final int NARROW_GAP = 2;

    public void print(List<List<String>> cells) {
        List<List<String>> rows = cells.stream()
                .map(row -> row.stream().map(SafeText::line).toList())
                .toList();
        int[] widths = widths(rows);
        int gap = total(widths, GAP) <= TerminalPage.COLUMNS ? GAP : NARROW_GAP;
        int beyond = total(widths, gap) - TerminalPage.COLUMNS;
        if (beyond > 0 && names > 1) {
            // The first column is made narrower, so that the table fits on the page. A name that is too long for it is
            // printed on a line of its own, above its numbers.
            widths[0] = Math.max(rows.getFirst().getFirst().length(), widths[0] - beyond);
        }
        for (int at = 0; at < rows.size(); at++) {
            List<String> row = rows.get(at);
            String first = row.getFirst();
            if (first.length() > widths[0]) {
                page.line(first);
            }
            String text = line(row, widths, gap);
            page.line(at == 0 ? page.style().faint(text) : TerminalText.of(text));
        }
    }

    private static int[] widths(List<List<String>> rows) {
        int[] widths = new int[rows.getFirst().size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        return widths;
    }

    private static int total(int[] widths, int gap) {
        int total = -gap;
        for (int width : widths) {
            total += width + gap;
        }
        return total;
    }

    private String line(List<String> row, int[] widths, int gap) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i).length() > widths[i] ? "" : row.get(i);
            String blanks = " ".repeat(widths[i] - cell.length());
            line.append(i < names ? cell + blanks : blanks + cell);
            line.append(" ".repeat(gap));
        }
        return line.toString().stripTrailing();
    }
}
