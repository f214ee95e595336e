package dev.sluice.cluster.dra;

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

    /** Returns the count after somebody has taken this many, of which it is not certain which ones these are. */
    DeviceCount less(long taken) {
        return new DeviceCount(Math.max(0, least - taken), most);
    }
}
