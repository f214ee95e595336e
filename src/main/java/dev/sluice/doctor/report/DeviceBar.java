package dev.sluice.doctor.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Devices in four parts that make up the whole.
 *
 * @param taken what pods hold
 * @param reserved what pods that wait will take
 * @param free what is left
 * @param broken what is there but cannot be given
 */
record DeviceBar(long taken, long reserved, long free, long broken) {

    /** More would be nonsense, and the sums of thousands of nodes must not overflow. */
    private static final long MOST = 1_000_000_000_000L;

    /** What a part of a bar stands for. */
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

        /** The class of the style sheet. */
        String style() {
            return style;
        }

        /** As the legend says it. */
        String words() {
            return words;
        }
    }

    /** So many cells of a bar. */
    record BarRun(BarPart part, long cells) {}

    /** Clamps the numbers, so that no part is negative and the parts add up to the whole. */
    public static DeviceBar of(long capacity, long allocatable, long taken, long reserved) {
        long offered = Math.clamp(allocatable, 0, MOST);
        long held = Math.clamp(taken, 0, offered);
        long waiting = Math.clamp(reserved, 0, offered - held);
        return new DeviceBar(held, waiting, offered - held - waiting, Math.clamp(capacity, offered, MOST) - offered);
    }

    /** Both together. */
    public DeviceBar plus(DeviceBar other) {
        return new DeviceBar(taken + other.taken, reserved + other.reserved, free + other.free, broken + other.broken);
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

    /** A cell for each device where there is room for that. Otherwise parts that are not empty have a cell at least. */
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

    /** For those who cannot see the bar. */
    public String words() {
        return taken + " of " + (taken + reserved + free) + " in use"
                + (reserved > 0 ? ", " + reserved + " reserved" : "")
                + (broken > 0 ? ", " + broken + " not offered" : "");
    }
}
