package dev.sluice.admission.injection;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The amount of a resource for each GPU, in the unit of the rule. It is a decimal number of at least 0 and is not
 * rounded.
 */
public record InjectionCoefficient(BigDecimal value) {

    /** The syntax of a JSON number that is not negative. {@code -0} is allowed. */
    private static final Pattern NUMBER =
            Pattern.compile("((0|[1-9][0-9]*)(\\.[0-9]+)?|-0(\\.0+)?)([eE][+-]?[0-9]{1,4})?");

    /**
     * The maximum number of digits. A 64-bit number has fewer digits, and longer numbers would make calculations slow.
     */
    private static final int MOST_DIGITS = 40;

    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    public InjectionCoefficient {
        value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        if (value.signum() < 0 || !isSensible(value)) {
            throw new IllegalArgumentException("no coefficient: " + value);
        }
    }

    private static boolean isSensible(BigDecimal value) {
        return value.compareTo(LARGEST) <= 0 && value.precision() <= MOST_DIGITS && value.scale() <= MOST_DIGITS;
    }

    /** Parses the number. Returns empty if the number is negative, too large, or has too many digits. */
    public static Optional<InjectionCoefficient> parse(String text) {
        if (text.length() > 2 * MOST_DIGITS || !NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        BigDecimal value = new BigDecimal(text).stripTrailingZeros();
        return isSensible(value) ? Optional.of(new InjectionCoefficient(value)) : Optional.empty();
    }

    /** Returns {@code floor(coefficient × gpus)}. */
    public BigInteger times(long gpus) {
        return value.multiply(BigDecimal.valueOf(gpus))
                .setScale(0, RoundingMode.FLOOR)
                .unscaledValue();
    }

    /**
     * Returns true for a fraction that was probably rounded by floating-point arithmetic, such as
     * {@code 0.07142857142857142}.
     */
    public boolean looksRounded() {
        return value.scale() >= 15;
    }

    @Override
    public String toString() {
        return value.toPlainString();
    }
}
