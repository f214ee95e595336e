package dev.sluice.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * The devices of a node or a group of nodes in four parts, which a bar shows.
 *
 * @param taken the number of devices that pods use
 * @param reserved the number of devices that pending pods will use
 * @param free the number of devices that are free
 * @param broken the number of devices that new pods cannot get: unhealthy devices, and free devices of nodes that are
 *     cordoned or not ready
 */
record ReportDeviceBar(long taken, long reserved, long free, long broken) {

    /**
     * The maximum number of devices. No real cluster has more, and the limit prevents an overflow of sums over
     * thousands of nodes.
     */
    private static final long MOST = 1_000_000_000_000L;

    /** The parts of a bar with their meaning. */
    enum BarPart {
        TAKEN("taken", "allocated"),
        RESERVED("reserved", "reserved for pods that wait"),
        FREE("free", "available"),
        BROKEN("broken", "not offered");

        private final String style;
        private final String words;

        BarPart(String style, String words) {
            this.style = style;
            this.words = words;
        }

        /** Returns the CSS class of this part. */
        String style() {
            return style;
        }

        /** Returns the text about this part in the legend. */
        String words() {
            return words;
        }
    }

    /** A sequence of cells in a bar that belong to the same part. */
    record BarRun(BarPart part, long cells) {}

    /** Creates a bar. The numbers are limited, so that no part is negative and the parts add up to the total. */
    public static ReportDeviceBar of(long capacity, long allocatable, long taken, long reserved) {
        long offered = Math.clamp(allocatable, 0, MOST);
        long held = Math.clamp(taken, 0, offered);
        long waiting = Math.clamp(reserved, 0, offered - held);
        return new ReportDeviceBar(
                held, waiting, offered - held - waiting, Math.clamp(capacity, offered, MOST) - offered);
    }

    /**
     * Returns a copy of this bar in which {@code closed} of the free devices are shown as broken.
     *
     * @param closed the number of free devices on nodes that accept no new pods
     */
    ReportDeviceBar without(long closed) {
        long lost = Math.min(closed, free);
        return new ReportDeviceBar(taken, reserved, free - lost, broken + lost);
    }

    /** Returns the sum of this bar and the other bar. */
    public ReportDeviceBar plus(ReportDeviceBar other) {
        return new ReportDeviceBar(
                taken + other.taken, reserved + other.reserved, free + other.free, broken + other.broken);
    }

    long total() {
        return taken + reserved + free + broken;
    }

    private long amount(BarPart part) {
        return switch (part) {
            case TAKEN -> taken;
            case RESERVED -> reserved;
            case FREE -> free;
            case BROKEN -> broken;
        };
    }

    /**
     * Divides the bar into cells, one for each device. If there are more than {@code most} devices, a cell stands for
     * several devices. A part of the bar, such as used or free, has at least one cell unless it is empty.
     */
    List<BarRun> runs(long most) {
        List<BarRun> runs = new ArrayList<>();
        long cells = Math.min(total(), most);
        long before = 0;
        for (BarPart part : BarPart.values()) {
            if (amount(part) > 0) {
                before += amount(part);
                long drawn = runs.stream().mapToLong(BarRun::cells).sum();
                long end = Math.round((double) before / total() * cells);
                runs.add(new BarRun(part, Math.max(1, end - drawn)));
            }
        }
        return runs;
    }

    /** Returns a description of the bar for users who cannot see it. */
    public String words() {
        return taken + " of " + (taken + reserved + free) + " in use"
                + (reserved > 0 ? ", " + reserved + " reserved" : "")
                + (broken > 0 ? ", " + broken + " not offered" : "");
    }
}
