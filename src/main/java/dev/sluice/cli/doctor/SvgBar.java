package dev.sluice.cli.doctor;

import dev.sluice.cli.doctor.ReportDeviceBar.BarPart;
import dev.sluice.cli.doctor.ReportDeviceBar.BarRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws a bar as SVG. There is a box for each device. If there are too many devices for separate boxes, there is a box
 * for each part of the bar.
 */
final class SvgBar {

    private static final int MOST_BOXES = 64;
    private static final double WIDTH = 272;
    private static final double WIDEST_BOX = 34;

    private static final String BAR =
            "<svg class=\"bar\" role=\"img\" viewBox=\"0 0 272 18\"><title>%s</title>%s</svg>";

    private static final String BOX = "<rect class=\"%s\" x=\"%s\" y=\"0.5\" rx=\"2\" width=\"%s\" height=\"17\"/>";

    private static final String CROSS = "<path class=\"cross\" d=\"M%s 6l6 6m0 -6l-6 6\"/>";

    /** A box with its position and width. */
    private record Box(BarPart part, double left, double width) {}

    private SvgBar() {}

    static Html boxes(ReportDeviceBar bar) {
        return drawn(bar, bar.total() <= MOST_BOXES);
    }

    /** Draws a bar for tables. Bars of different rows have the same width, so that their shares can be compared. */
    static Html shares(ReportDeviceBar bar) {
        return drawn(bar, /* single= */ false);
    }

    private static Html drawn(ReportDeviceBar bar, boolean single) {
        List<BarRun> runs = bar.runs(MOST_BOXES);
        long cells = Math.max(1, runs.stream().mapToLong(BarRun::cells).sum());
        double step = single ? Math.min(WIDEST_BOX, WIDTH / cells) : WIDTH / cells;
        List<Box> boxes = new ArrayList<>();
        double left = 0;
        for (BarRun run : runs) {
            long count = single ? run.cells() : 1;
            double width = single ? step : run.cells() * step;
            for (long i = 0; i < count; i++) {
                boxes.add(new Box(run.part(), left, width - Math.min(3, step / 4)));
                left += width;
            }
        }
        return Html.of(BAR, bar.words(), Html.each(boxes, SvgBar::box));
    }

    private static Html box(Box box) {
        Html cross =
                box.part() == BarPart.BROKEN ? Html.of(CROSS, number(box.left() + box.width() / 2 - 3)) : Html.NONE;
        Html rect = Html.of(BOX, box.part().style(), number(box.left() + 0.5), number(Math.max(1, box.width() - 1)));
        return Html.of("%s%s", rect, cross);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
    }
}
