package dev.sluice.cluster.quantity;

import dev.sluice.fuzz.Frugal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What is printed is read again as the same amount, and sums do not wrap. The first byte cuts the input in two. */
public final class QuantityFuzz {

    /** Of a text the first 64 digits are read, and nine of them may be decimal places. */
    private static final int MOST_DIGITS = 55;

    private QuantityFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int cut = 1 + (input[0] & 0xff) * (input.length - 1) / 255;
        String left = new String(Arrays.copyOfRange(input, 1, cut), StandardCharsets.UTF_8);
        String right = new String(Arrays.copyOfRange(input, cut, input.length), StandardCharsets.UTF_8);
        Frugal.run(
                input.length,
                () -> Quantity.parse(left).ifPresent(one -> {
                    alone(one);
                    Quantity.parse(right).ifPresent(other -> together(one, other));
                }));
    }

    private static void alone(Quantity one) {
        long milli = one.milliValue();
        long whole = one.value();
        holds(Math.abs((double) milli) >= Math.abs((double) whole), "thousandths are no fewer than units");
        holds(one.isNegative() ? whole <= 0 : whole >= 0, "the sign is kept");
        holds(one.isZero() == (whole == 0 && milli == 0), "only zero is zero: " + one.amount());
        if (Math.abs((long) one.amount().precision() - one.amount().scale()) > MOST_DIGITS) {
            // Written out, 1e999999999 would fill the memory; the API server would refuse it.
            return;
        }
        Quantity again = Quantity.parse(one.canonical())
                .orElseThrow(() -> new AssertionError("its canonical text is no quantity: " + one.canonical()));
        holds(again.equals(one), one.text() + " comes back as " + again.text());
        holds(again.canonical().equals(one.canonical()), "the canonical text is canonical: " + one.canonical());
        holds(one.stored().compareTo(one) * (one.isNegative() ? -1 : 1) >= 0, "what is stored is no less");
    }

    private static void together(Quantity one, Quantity other) {
        holds(one.plus(other).compareTo(other.plus(one)) == 0, "sums do not depend on the order");
        holds(one.compareTo(other) == -other.compareTo(one), "comparisons neither");
        BigInteger exact = BigInteger.valueOf(one.value()).add(BigInteger.valueOf(other.value()));
        if (isExact(one) && isExact(other) && exact.bitLength() < Long.SIZE) {
            holds(one.plus(other).value() == exact.longValue(), "whole numbers add up");
        }
    }

    /** A whole number that is not cut to what a {@code long} holds. */
    private static boolean isExact(Quantity one) {
        return one.isWhole() && one.value() != Long.MAX_VALUE && one.value() != Long.MIN_VALUE;
    }

    private static void holds(boolean law, String sentence) {
        if (!law) {
            throw new AssertionError(sentence);
        }
    }
}
