package dev.sluice.cluster.dra;

/**
 * A number of devices that may not be known exactly.
 *
 * @param least the number of devices that certainly exist
 * @param most the largest number of devices that may exist
 */
public record DeviceCount(long least, long most) {

    public static final DeviceCount NONE = new DeviceCount(0, 0);

    /** The count of devices if nothing is known about their number. */
    public static final DeviceCount UNKNOWN = new DeviceCount(0, Long.MAX_VALUE);

    public boolean isExact() {
        return least == most;
    }

    /** Returns whether there are at least {@code need} devices. */
    public DraCertainty covers(long need) {
        return need <= least ? DraCertainty.YES : need <= most ? DraCertainty.MAYBE : DraCertainty.NO;
    }

    /**
     * Returns the count of free devices after {@code taken} devices have been allocated. It is uncertain whether the
     * allocated devices are among the counted ones, so only {@link #least} becomes smaller.
     */
    DeviceCount less(long taken) {
        return new DeviceCount(Math.max(0, least - taken), most);
    }
}
