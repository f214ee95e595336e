package dev.sluice.admission.injection;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Pattern;

/** The number of units for one GPU: a decimal number of at least 0, exactly as it was written. */
public record Coefficient(BigDecimal value) {

    /** A JSON number without a sign, or {@code -0}. */
    private static final Pattern NUMBER =
            Pattern.compile("((0|[1-9][0-9]*)(\\.[0-9]+)?|-0(\\.0+)?)([eE][+-]?[0-9]{1,4})?");

    /** A 64-bit number and a fraction printed in full have fewer digits; more would only cost time. */
    private static final int MOST_DIGITS = 40;

    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    public Coefficient {
        value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        if (value.signum() < 0 || !isSensible(value)) {
            throw new IllegalArgumentException("no coefficient: " + value);
        }
    }

    private static boolean isSensible(BigDecimal value) {
        return value.compareTo(LARGEST) <= 0 && value.precision() <= MOST_DIGITS && value.scale() <= MOST_DIGITS;
    }

    /** Empty for negative numbers and for those that are too large or have too many digits. */
    public static Optional<Coefficient> parse(String text) {
        if (text.length() > 2 * MOST_DIGITS || !NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        BigDecimal value = new BigDecimal(text).stripTrailingZeros();
        return isSensible(value) ? Optional.of(new Coefficient(value)) : Optional.empty();
    }

    /** {@code floor(coefficient × gpus)}. */
    public BigInteger times(long gpus) {
        return value.multiply(BigDecimal.valueOf(gpus))
                .setScale(0, RoundingMode.FLOOR)
                .unscaledValue();
    }

    /** True for a fraction that floating point has rounded, such as {@code 0.07142857142857142}. */
    public boolean looksRounded() {
        return value.scale() >= 15;
    }

    @Override
    public String toString() {
        return value.toPlainString();
    }
}
