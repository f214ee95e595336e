package dev.sluice.injection.rule;

import dev.sluice.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is put behind a number to make a quantity: {@code m}, {@code Gi}, {@code e3}, or nothing.
 *
 * @param one a single unit, which knows the notation of all
 */
public record Unit(String text, Quantity one) {

    public static final Unit NONE = new Unit("", Quantity.of(1));

    /** {@code 4} followed by {@code .5} or {@code 0} would also be a quantity, but no unit. */
    private static final Pattern SUFFIX = Pattern.compile("|[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2}");

    /** What a suffix can be, for messages. */
    public static final String KNOWN =
            "nothing, n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or an exponent such" + " as e3";

    /** The unit, if a quantity may end in it. */
    public static Optional<Unit> of(String text) {
        return SUFFIX.matcher(text).matches()
                ? Quantity.parse("1" + text).map(one -> new Unit(text, one))
                : Optional.empty();
    }

    /** So many units, as the amount of a quantity in this notation. */
    Quantity times(BigInteger count) {
        return one.withAmount(one.amount().multiply(new BigDecimal(count)));
    }
}
