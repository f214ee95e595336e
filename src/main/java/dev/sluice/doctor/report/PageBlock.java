package dev.sluice.doctor.report;

import java.util.List;

/** A part of a section. All texts are plain; each writer escapes them for its format. */
sealed interface PageBlock {

    record Paragraph(String text) implements PageBlock {}

    /** The numbers that matter most, side by side. */
    record Tiles(List<Tile> tiles) implements PageBlock {
        public Tiles {
            tiles = List.copyOf(tiles);
        }
    }

    /** A number, such as {@code 3 of 8}, and what it counts. */
    record Tile(String number, String label, PageTone tone) {}

    /** Something that was found, with lines about it. */
    record Notice(PageTone tone, String title, List<NoticeLine> lines) implements PageBlock {
        public Notice {
            lines = List.copyOf(lines);
        }
    }

    /**
     * A line of a notice.
     *
     * @param lead before the text, such as {@code Next}; empty without one
     * @param command true where the text is to be typed
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
     * @param note below it, such as how many rows are left out; empty without one
     */
    record Grid(List<GridColumn> columns, List<List<GridCell>> rows, String note) implements PageBlock {
        public Grid {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /** A column of a table, and how its cells are set. */
    record GridColumn(String title, ColumnKind kind) {

        /** Numbers are set to the right; names of files, images and resources as they are typed. */
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

    /** A cell of a table: a text, or a bar with a text. */
    record GridCell(String text, PageTone tone, List<DeviceBar> bar) {
        public static GridCell of(String text) {
            return new GridCell(text, PageTone.PLAIN, List.of());
        }

        public static GridCell of(String text, PageTone tone) {
            return new GridCell(text, tone, List.of());
        }

        public static GridCell of(DeviceBar bar) {
            return new GridCell("", PageTone.PLAIN, List.of(bar));
        }
    }

    /** Pictures of nodes, with a legend. */
    record Pictures(List<NodePicture> nodes) implements PageBlock {
        public Pictures {
            nodes = List.copyOf(nodes);
        }
    }

    /** A node with a bar for each of its resources. */
    record NodePicture(String name, String model, List<String> marks, PageTone tone, List<LabelledBar> bars) {
        public NodePicture {
            marks = List.copyOf(marks);
            bars = List.copyOf(bars);
        }
    }

    record LabelledBar(String label, DeviceBar bar) {}
}
