package dev.sluice.cluster.quantity;

/**
 * An exact sum of up to 2^31 numbers, from which numbers can also be subtracted again. Kubelets may report any numbers,
 * so their sum may not fit into a {@code long}. A sum that was limited to the range of {@code long} would be wrong
 * after a subtraction.
 */
public final class WideSum {

    private static final int HALF = 32;
    private static final long LOWER_HALF = 0xFFFF_FFFFL;

    /** The sum of the upper 32 bits of the numbers. */
    private long upper;

    /** The sum of the lower 32 bits of the numbers, which are treated as unsigned numbers. */
    private long lower;

    public void add(long number) {
        upper += number >> HALF;
        lower += number & LOWER_HALF;
    }

    public void subtract(long number) {
        upper -= number >> HALF;
        lower -= number & LOWER_HALF;
    }

    /** Returns the sum. If it does not fit into a {@code long}, returns the nearest {@code long}. */
    public long value() {
        long high = upper + (lower >> HALF);
        if (high != (int) high) {
            return high < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return (high << HALF) | (lower & LOWER_HALF);
    }
}
