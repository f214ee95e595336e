package dev.sluice.injection.rule;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Pattern;

/** How many units belong to one GPU: a decimal number of 0 or more, exactly as it was written. */
public record Coefficient(BigDecimal value) {

    /** A number of JSON, without its sign unless it is {@code -0}. */
    private static final Pattern NUMBER =
            Pattern.compile("((0|[1-9][0-9]*)(\\.[0-9]+)?|-0(\\.0+)?)([eE][+-]?[0-9]{1,4})?");

    /** What a 64-bit number can need (1e18) and what a fraction printed in full has; more would only cost time. */
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

    /** Empty for negative numbers, and for those with more digits than any real one has. */
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

    /** True for {@code 0.07142857142857142} and the like: a fraction that somebody's floating point has rounded. */
    public boolean looksRounded() {
        return value.scale() >= 15;
    }

    @Override
    public String toString() {
        return value.toPlainString();
    }
}
