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
 * <p>Parses and formats as the API server does (apimachinery {@code resource/quantity.go}): values finer than a
 * nano-unit are rounded away from zero, binary values are capped at 2<sup>63</sup>−1. Quantities with equal amounts are
 * equal, however they are written.
 */
public final class Quantity implements Comparable<Quantity> {

    public static final Quantity ZERO = new Quantity("0", BigDecimal.ZERO, QuantitySuffix.NONE);

    /** Most quantities of devices are small numbers. */
    private static final List<Optional<Quantity>> DIGITS =
            LongStream.range(0, 10).mapToObj(units -> Optional.of(of(units))).toList();

    private static final int NANO_SCALE = 9;
    private static final int STORED_SCALE = 3;
    private static final BigDecimal ONE_NANO = BigDecimal.valueOf(1, NANO_SCALE);
    private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    /** More integer digits than a {@code long} has; such an amount saturates instead of being expanded. */
    private static final int ABSURD_DIGITS = 40;
    /** Any number of so many digits fits into a {@code long}. */
    private static final int MOST_LONG_DIGITS = 18;
    /** More digits than a text without an exponent can have; a sum would expand all zeros. */
    private static final int MOST_ADDED_DIGITS = 300;

    /** Null for a computed quantity, whose text is the canonical one. */
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

    /** Empty where the API server would refuse the text. */
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

    /** {@code number × 10^exponent}; a huge exponent neither overflows nor costs memory. */
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

    /** Digits before the decimal point; negative when the first digit comes later than the first decimal place. */
    private static long integerDigits(BigDecimal number) {
        return (long) number.precision() - number.scale();
    }

    /** Whole units, rounded away from zero, saturating: the scheduler's {@code Value()}. */
    public long value() {
        return saturated(amount);
    }

    /** Thousandths of a unit, rounded away from zero, saturating: the scheduler's {@code MilliValue()}. */
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

    /** True for integers, however written ({@code 3000m}, {@code 3Ki}), as extended resources have to be. */
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

    /** The sum in this notation, or in the other's where this is 0; of huge amounts ({@code 1e99999999}) the larger. */
    public Quantity plus(Quantity other) {
        if (Math.max(integerDigits(amount), integerDigits(other.amount)) > MOST_ADDED_DIGITS) {
            return amount.abs().compareTo(other.amount.abs()) < 0 ? other : this;
        }
        QuantitySuffix.Format notation = isZero() ? other.format : format;
        BigDecimal sum = amount.add(other.amount);
        return new Quantity(null, sum, notation);
    }

    /** Another amount in the same notation, with the canonical text. */
    public Quantity withAmount(BigDecimal other) {
        return new Quantity(QuantityText.canonical(other, format), other, format);
    }

    public BigDecimal amount() {
        return amount;
    }

    /** The text as it was written; of a sum the canonical one. */
    public String text() {
        return text == null ? canonical() : text;
    }

    /** As the API server stores it: rounded away from zero to thousandths ({@code SetDefaults_ResourceList}). */
    public Quantity stored() {
        return amount.scale() <= STORED_SCALE
                ? this
                : new Quantity(null, amount.setScale(STORED_SCALE, RoundingMode.UP), format);
    }

    /** As the API server formats it, for example {@code 1024Mi} as {@code 1Gi} and {@code 0.5} as {@code 500m}. */
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
