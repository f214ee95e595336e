package dev.sluice.cli.doctor;

import dev.sluice.cli.doctor.ReportPageBlock.Grid;
import dev.sluice.cli.doctor.ReportPageBlock.GridCell;
import dev.sluice.cli.doctor.ReportPageBlock.GridColumn;
import dev.sluice.text.CountText;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Creates tables of limited length. A cluster can have any number of objects. */
final class ReportTableRows {

    private static final int MOST_ROWS = 50;

    private ReportTableRows() {}

    /** Returns a table with a row for each of the first items. A note says how many items are left out. */
    static <T> Grid table(List<GridColumn> columns, List<T> things, Function<T, List<GridCell>> row) {
        int left = things.size() - MOST_ROWS;
        return new Grid(
                columns,
                things.stream().limit(MOST_ROWS).map(row).toList(),
                left > 0 ? CountText.number(left) + " more are not shown." : "");
    }

    /**
     * Returns a table with a row for each of the first items, or an empty stream if there are no items. A note says how
     * many items are left out.
     */
    static <T> Stream<Grid> tableIfAny(List<GridColumn> columns, List<T> things, Function<T, List<GridCell>> row) {
        return things.isEmpty() ? Stream.empty() : Stream.of(table(columns, things, row));
    }
}
