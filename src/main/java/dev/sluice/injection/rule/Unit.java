package dev.sluice.injection.rule;

import dev.sluice.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The suffix of a quantity: {@code m}, {@code Gi}, {@code e3}, or nothing.
 *
 * @param one a single unit, with the notation of the suffix
 */
public record Unit(String text, Quantity one) {

    public static final Unit NONE = new Unit("", Quantity.of(1));

    /** The suffixes of quantities. Digits behind a number would also make a quantity, but are no unit. */
    private static final Pattern SUFFIX = Pattern.compile("|[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2}");

    /** The suffixes as messages list them. */
    public static final String KNOWN =
            "nothing, n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or an exponent such" + " as e3";

    /** Empty if a quantity has no such suffix. */
    public static Optional<Unit> of(String text) {
        return SUFFIX.matcher(text).matches()
                ? Quantity.parse("1" + text).map(one -> new Unit(text, one))
                : Optional.empty();
    }

    Quantity times(BigInteger count) {
        return one.withAmount(one.amount().multiply(new BigDecimal(count)));
    }
}
