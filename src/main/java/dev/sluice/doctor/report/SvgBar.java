package dev.sluice.doctor.report;

import dev.sluice.doctor.report.DeviceBar.BarPart;
import dev.sluice.doctor.report.DeviceBar.BarRun;
import java.util.List;
import java.util.Locale;

/** Draws a bar as SVG: a box for each device, or one for each part where there are too many to tell apart. */
final class SvgBar {

    private static final int MOST_BOXES = 64;
    private static final double WIDTH = 272;
    private static final double WIDEST_BOX = 34;
    private static final int HEIGHT = 18;

    private SvgBar() {}

    static String boxes(DeviceBar bar) {
        return drawn(bar, bar.total() <= MOST_BOXES);
    }

    /** For tables, where bars stand below each other and their shares are compared. */
    static String shares(DeviceBar bar) {
        return drawn(bar, /* single= */ false);
    }

    private static String drawn(DeviceBar bar, boolean single) {
        List<BarRun> runs = bar.runs(MOST_BOXES);
        long cells = runs.stream().mapToLong(BarRun::cells).sum();
        StringBuilder svg = new StringBuilder("<svg class=\"bar\" role=\"img\" viewBox=\"0 0 272 18\">");
        svg.append("<title>").append(HtmlText.of(bar.words())).append("</title>");
        double step = single ? Math.min(WIDEST_BOX, WIDTH / Math.max(1, cells)) : WIDTH / Math.max(1, cells);
        double left = 0;
        for (BarRun run : runs) {
            long boxes = single ? run.cells() : 1;
            double width = single ? step : run.cells() * step;
            for (long i = 0; i < boxes; i++) {
                box(svg, run.part(), left, width - Math.min(3, step / 4));
                left += width;
            }
        }
        return svg.append("</svg>").toString();
    }

    private static void box(StringBuilder svg, BarPart part, double left, double width) {
        svg.append("<rect class=\"").append(part.style()).append("\" x=\"").append(number(left + 0.5));
        svg.append("\" y=\"0.5\" rx=\"2\" width=\"").append(number(Math.max(1, width - 1)));
        svg.append("\" height=\"").append(HEIGHT - 1).append("\"/>");
        if (part == BarPart.BROKEN) {
            svg.append("<path class=\"cross\" d=\"M")
                    .append(number(left + width / 2 - 3))
                    .append(" 6l6 6m0 -6l-6 6\"/>");
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
    }
}
