package dev.sluice.cluster.dra;

import dev.sluice.cluster.quantity.Amounts;

/**
 * A number of devices that may not be known exactly.
 *
 * @param least the devices that there are for certain
 * @param most the devices that there may be
 */
public record DeviceCount(long least, long most) {

    public static final DeviceCount NONE = new DeviceCount(0, 0);

    /** Nothing is known. */
    public static final DeviceCount UNKNOWN = new DeviceCount(0, Long.MAX_VALUE);

    public boolean isExact() {
        return least == most;
    }

    /** Returns whether there are so many devices. */
    public Certainty covers(long need) {
        return need <= least ? Certainty.YES : need <= most ? Certainty.MAYBE : Certainty.NO;
    }

    DeviceCount plus(DeviceCount other) {
        return new DeviceCount(Amounts.saturatedSum(least, other.least), Amounts.saturatedSum(most, other.most));
    }
}
