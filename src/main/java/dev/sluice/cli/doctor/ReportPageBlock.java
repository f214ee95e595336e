package dev.sluice.cli.doctor;

import java.util.List;

/** A part of a section. All texts are plain; the writer of the page escapes them. */
sealed interface ReportPageBlock {

    record Paragraph(String text) implements ReportPageBlock {}

    /** The most important numbers, side by side. */
    record Tiles(List<Tile> tiles) implements ReportPageBlock {
        public Tiles {
            tiles = List.copyOf(tiles);
        }
    }

    /** A number, such as {@code 3 of 8}, and a label that says what is counted. */
    record Tile(String number, String label, ReportPageTone tone) {}

    /** A finding with its explanation. */
    record Notice(ReportPageTone tone, String title, List<NoticeLine> lines) implements ReportPageBlock {
        public Notice {
            lines = List.copyOf(lines);
        }
    }

    /**
     * A line of a notice.
     *
     * @param lead a word before the text, such as {@code Next}; empty if there is none
     * @param command true if the text is a command that the user can type
     */
    record NoticeLine(String lead, String text, boolean command) {
        public static NoticeLine words(String text) {
            return new NoticeLine("", text, /* command= */ false);
        }

        public static NoticeLine typed(String lead, String text) {
            return new NoticeLine(lead, text, /* command= */ true);
        }
    }

    /**
     * A table.
     *
     * @param note a sentence below the table, such as the number of rows that are left out; empty if there is none
     */
    record Grid(List<GridColumn> columns, List<List<GridCell>> rows, String note) implements ReportPageBlock {
        public Grid {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /** The heading of a column, and the format of its cells. */
    record GridColumn(String title, ColumnKind kind) {

        /**
         * The format of cells: numbers are aligned to the right, and names of files, images and resources have a
         * monospaced font.
         */
        enum ColumnKind {
            WORDS,
            NUMBER,
            CODE
        }

        public static GridColumn words(String title) {
            return new GridColumn(title, ColumnKind.WORDS);
        }

        public static GridColumn number(String title) {
            return new GridColumn(title, ColumnKind.NUMBER);
        }

        public static GridColumn code(String title) {
            return new GridColumn(title, ColumnKind.CODE);
        }

        boolean isNumber() {
            return kind == ColumnKind.NUMBER;
        }

        boolean isCode() {
            return kind == ColumnKind.CODE;
        }
    }

    /** A cell of a table. It contains a text, and possibly a bar. */
    record GridCell(String text, ReportPageTone tone, List<ReportDeviceBar> bar) {
        public static GridCell of(String text) {
            return new GridCell(text, ReportPageTone.PLAIN, List.of());
        }

        public static GridCell of(String text, ReportPageTone tone) {
            return new GridCell(text, tone, List.of());
        }

        public static GridCell of(ReportDeviceBar bar) {
            return new GridCell("", ReportPageTone.PLAIN, List.of(bar));
        }
    }

    /** Pictures of nodes with a legend. */
    record Pictures(List<NodePicture> nodes) implements ReportPageBlock {
        public Pictures {
            nodes = List.copyOf(nodes);
        }
    }

    /** A node with a bar for each of its resources. */
    record NodePicture(String name, String model, List<String> marks, ReportPageTone tone, List<LabelledBar> bars) {
        public NodePicture {
            marks = List.copyOf(marks);
            bars = List.copyOf(bars);
        }

        NodePicture named(String other) {
            return new NodePicture(other, model, marks, tone, bars);
        }
    }

    record LabelledBar(String label, ReportDeviceBar bar) {}
}
