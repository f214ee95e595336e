package dev.sluice.cluster.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parsed text of a quantity: its sign, its number and its suffix. It also formats an amount as canonical text.
 *
 * <p>The text is parsed like {@code parseQuantityString} of apimachinery. {@code 5.} and {@code .5} are valid. A sign
 * without digits, and a suffix without digits, are also valid and mean zero.
 */
record QuantityText(String text, boolean negative, String digits, int decimals, String suffix) {

    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final BigDecimal KIBI_UNITS = BigDecimal.valueOf(1024);
    private static final int LARGEST_DECIMAL = 18;
    /**
     * The maximum number of digits that are kept. The API server accepts numbers of any length, but arithmetic with
     * millions of digits could block the gateway. Exact sums need fewer than 64 digits: 19 digits for a {@code long}, 9
     * decimal places for nano-units, and 9 more digits if the suffix is {@code n}.
     */
    private static final int MOST_DIGITS = 64;

    static Optional<QuantityText> scan(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        int start = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
        int point = endOfDigits(text, start);
        int end = point < text.length() && text.charAt(point) == '.' ? endOfDigits(text, point + 1) : point;
        boolean isLong = end - start > MOST_DIGITS;
        String decimals = end > point ? text.substring(point + 1, end) : "";
        return isLong
                ? cut(text, text.substring(start, point), decimals, end)
                : suffixed(text, text.substring(start, point) + decimals, decimals.length(), end);
    }

    /** Drops the last digits of a number with more than {@link #MOST_DIGITS} digits, and rounds it away from zero. */
    private static Optional<QuantityText> cut(String text, String whole, String decimals, int suffixStart) {
        int zeros = 0;
        while (zeros < whole.length() && whole.charAt(zeros) == '0') {
            zeros++;
        }
        String digits = whole.substring(zeros);
        if (digits.length() > MOST_DIGITS) {
            return suffixed(text, digits.substring(0, MOST_DIGITS), MOST_DIGITS - digits.length(), suffixStart);
        }
        boolean rest = decimals.length() > MOST_DIGITS && endOfZeros(decimals, MOST_DIGITS) < decimals.length();
        String some = decimals.substring(0, Math.min(decimals.length(), MOST_DIGITS)) + (rest ? "1" : "");
        return suffixed(text, digits + some, some.length(), suffixStart);
    }

    private static int endOfZeros(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == '0') {
            at++;
        }
        return at;
    }

    private static Optional<QuantityText> suffixed(String text, String digits, int decimals, int suffixStart) {
        int at = suffixStart;
        while (at < text.length() && "eEinumkKMGTP".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
            at++;
        }
        return endOfDigits(text, at) == text.length()
                ? Optional.of(
                        new QuantityText(text, text.charAt(0) == '-', digits, decimals, text.substring(suffixStart)))
                : Optional.empty();
    }

    private static int endOfDigits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    /** Returns the text; null if it is so long that keeping it would take too much memory. */
    @Nullable
    String shortText() {
        return text.length() > 4 * MOST_DIGITS ? null : text;
    }

    /** Returns the number before the suffix, without its sign. */
    BigDecimal magnitude() {
        return digits.isEmpty() ? BigDecimal.ZERO : new BigDecimal(new BigInteger(digits), decimals);
    }

    static String canonical(BigDecimal amount, QuantitySuffix.Format format) {
        if (amount.signum() == 0) {
            return "0";
        }
        boolean binary = format == QuantitySuffix.Format.BINARY
                && amount.abs().compareTo(KIBI_UNITS) >= 0
                && amount.stripTrailingZeros().scale() <= 0;
        return binary ? canonicalBinary(amount.toBigIntegerExact()) : canonicalDecimal(amount, format);
    }

    private static String canonicalBinary(BigInteger amount) {
        BigInteger mantissa = amount;
        int power = 0;
        while (power < 6 && mantissa.mod(KIBI).signum() == 0) {
            mantissa = mantissa.divide(KIBI);
            power++;
        }
        return mantissa + QuantitySuffix.ofBinary(power);
    }

    private static String canonicalDecimal(BigDecimal amount, QuantitySuffix.Format format) {
        BigDecimal stripped = amount.stripTrailingZeros();
        int exponent = Math.floorDiv(-stripped.scale(), 3) * 3;
        if (format == QuantitySuffix.Format.DECIMAL) {
            exponent = Math.min(exponent, LARGEST_DECIMAL);
        }
        String mantissa = stripped.scaleByPowerOfTen(-exponent).toPlainString();
        if (format == QuantitySuffix.Format.EXPONENT) {
            return exponent == 0 ? mantissa : mantissa + "e" + exponent;
        }
        return mantissa + QuantitySuffix.ofDecimal(exponent);
    }
}
