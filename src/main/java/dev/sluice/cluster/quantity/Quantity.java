package dev.sluice.cluster.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes quantity such as {@code 2}, {@code 500m}, {@code 16Gi} or {@code 1e3}, exact to the nano-unit.
 *
 * <p>It is parsed and formatted as in the API server (apimachinery {@code resource/quantity.go}). Values finer than a
 * nano-unit are rounded away from zero, and binary values are limited to 2<sup>63</sup>−1. Quantities with the same
 * amount are equal, even if they are written differently.
 */
public final class Quantity implements Comparable<Quantity> {

    public static final Quantity ZERO = new Quantity("0", BigDecimal.ZERO, QuantitySuffix.NONE);

    /** The quantities from 0 to 9. They are created once, because most quantities of devices are small numbers. */
    private static final List<Optional<Quantity>> DIGITS =
            LongStream.range(0, 10).mapToObj(units -> Optional.of(of(units))).toList();

    private static final int NANO_SCALE = 9;
    private static final int STORED_SCALE = 3;
    private static final BigDecimal ONE_NANO = BigDecimal.valueOf(1, NANO_SCALE);
    private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    /**
     * The maximum number of digits before the decimal point of a number that is converted to a {@code long}. A longer
     * number becomes the largest or smallest {@code long} without a conversion, which could take much memory.
     */
    private static final int ABSURD_DIGITS = 40;
    /** The maximum number of digits for which every number fits into a {@code long}. */
    private static final int MOST_LONG_DIGITS = 18;
    /**
     * A quantity with more digits than this before the decimal point is not added exactly, because a sum would need
     * memory for all its digits. Only a text with an exponent can have so many digits.
     */
    private static final int MOST_ADDED_DIGITS = 300;

    /** The text that was parsed. It is null for a calculated quantity, which has its canonical text instead. */
    private final @Nullable String text;

    private final BigDecimal amount;
    private final QuantitySuffix.Format format;

    private Quantity(String text, BigDecimal amount, QuantitySuffix suffix) {
        this(text, amount, suffix.format());
    }

    private Quantity(@Nullable String text, BigDecimal amount, QuantitySuffix.Format format) {
        this.text = text;
        this.amount = amount;
        this.format = format;
    }

    /** Parses a quantity. Returns empty if the API server would reject the text. */
    public static Optional<Quantity> parse(String text) {
        if (isPlainCount(text)) {
            return text.length() == 1 ? DIGITS.get(text.charAt(0) - '0') : Optional.of(of(Long.parseLong(text), text));
        }
        return QuantityText.scan(text).flatMap(Quantity::fromText);
    }

    public static Quantity of(long units) {
        return of(units, Long.toString(units));
    }

    private static Quantity of(long units, String text) {
        return new Quantity(text, BigDecimal.valueOf(units), QuantitySuffix.NONE);
    }

    private static boolean isPlainCount(String text) {
        if (text.isEmpty() || text.length() > MOST_LONG_DIGITS) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static Optional<Quantity> fromText(QuantityText parts) {
        return QuantitySuffix.parse(parts.suffix()).map(suffix -> {
            BigDecimal magnitude = roundedToNano(scaled(parts.magnitude(), suffix));
            QuantitySuffix.Format format = suffix.format();
            if (format == QuantitySuffix.Format.BINARY) {
                magnitude = magnitude.min(LARGEST_BINARY);
                if (magnitude.compareTo(BigDecimal.ONE) < 0) {
                    format = QuantitySuffix.Format.DECIMAL;
                }
            }
            return new Quantity(parts.shortText(), parts.negative() ? magnitude.negate() : magnitude, format);
        });
    }

    private static BigDecimal scaled(BigDecimal number, QuantitySuffix suffix) {
        return suffix.format() == QuantitySuffix.Format.BINARY
                ? number.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(suffix.exponent())))
                : shifted(number, suffix.exponent());
    }

    /** Returns {@code number × 10^exponent}. Even a huge exponent causes no overflow and takes little memory. */
    private static BigDecimal shifted(BigDecimal number, int exponent) {
        long scale = Math.clamp((long) number.scale() - exponent, Integer.MIN_VALUE / 2, Integer.MAX_VALUE / 2);
        return new BigDecimal(number.unscaledValue(), (int) scale);
    }

    private static BigDecimal roundedToNano(BigDecimal number) {
        if (number.signum() == 0) {
            return BigDecimal.ZERO;
        }
        if (number.scale() <= NANO_SCALE) {
            return number;
        }
        return integerDigits(number) < -NANO_SCALE ? ONE_NANO : number.setScale(NANO_SCALE, RoundingMode.UP);
    }

    /**
     * Returns the number of digits before the decimal point. For a number below 1, returns 0 or less: minus the number
     * of zeros directly after the decimal point.
     */
    private static long integerDigits(BigDecimal number) {
        return (long) number.precision() - number.scale();
    }

    /**
     * Returns the number of whole units, rounded away from zero, like {@code Value()} in apimachinery. A number that
     * would overflow becomes the largest or smallest {@code long}.
     */
    public long value() {
        return saturated(amount);
    }

    /**
     * Returns the number of thousandths of a unit, rounded away from zero, like {@code MilliValue()} in apimachinery. A
     * number that would overflow becomes the largest or smallest {@code long}.
     */
    public long milliValue() {
        return saturated(amount.scaleByPowerOfTen(3));
    }

    private static long saturated(BigDecimal number) {
        if (number.scale() == 0 && number.precision() <= MOST_LONG_DIGITS) {
            return number.longValue();
        }
        if (integerDigits(number) > ABSURD_DIGITS) {
            return number.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        BigDecimal whole = number.setScale(0, RoundingMode.UP);
        return whole.min(LARGEST_BINARY).max(BigDecimal.valueOf(Long.MIN_VALUE)).longValue();
    }

    /**
     * Returns true for an integer in any notation ({@code 3000m}, {@code 3Ki}). Quantities of extended resources have
     * to be integers.
     */
    public boolean isWhole() {
        return amount.scale() <= 0
                || amount.signum() == 0
                || amount.stripTrailingZeros().scale() <= 0;
    }

    public boolean isZero() {
        return amount.signum() == 0;
    }

    public boolean isNegative() {
        return amount.signum() < 0;
    }

    /**
     * Returns the sum. It has the notation of this quantity, or the notation of {@code other} if this quantity is 0. If
     * one of the amounts is huge ({@code 1e99999999}), returns the amount with the larger absolute value instead.
     */
    public Quantity plus(Quantity other) {
        if (Math.max(integerDigits(amount), integerDigits(other.amount)) > MOST_ADDED_DIGITS) {
            return amount.abs().compareTo(other.amount.abs()) < 0 ? other : this;
        }
        QuantitySuffix.Format notation = isZero() ? other.format : format;
        BigDecimal sum = amount.add(other.amount);
        return new Quantity(null, sum, notation);
    }

    /**
     * Returns a quantity with the amount {@code other} in the notation of this quantity. The result has canonical text.
     */
    public Quantity withAmount(BigDecimal other) {
        return new Quantity(QuantityText.canonical(other, format), other, format);
    }

    public BigDecimal amount() {
        return amount;
    }

    /** Returns the text as it was written. Returns the canonical text if the quantity was calculated. */
    public String text() {
        return text == null ? canonical() : text;
    }

    /**
     * Returns the quantity as the API server stores it: rounded away from zero to thousandths
     * ({@code SetDefaults_ResourceList}).
     */
    public Quantity stored() {
        return amount.scale() <= STORED_SCALE
                ? this
                : new Quantity(null, amount.setScale(STORED_SCALE, RoundingMode.UP), format);
    }

    /**
     * Returns the text as the API server formats it. For example, {@code 1024Mi} becomes {@code 1Gi}, and {@code 0.5}
     * becomes {@code 500m}.
     */
    public String canonical() {
        return QuantityText.canonical(amount, format);
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Quantity that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value());
    }

    @Override
    public String toString() {
        return text();
    }
}
