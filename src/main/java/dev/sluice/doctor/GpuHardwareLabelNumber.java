package dev.sluice.doctor;

/** Reads whole numbers from label values. */
final class GpuHardwareLabelNumber {

    static final long UNKNOWN = -1;

    private static final int MOST_DIGITS = 9;

    private GpuHardwareLabelNumber() {}

    /** Returns the number, or {@link #UNKNOWN} if the value is not a whole number. */
    static long of(String value) {
        boolean number = !value.isEmpty()
                && value.length() <= MOST_DIGITS
                && value.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(value) : UNKNOWN;
    }
}
