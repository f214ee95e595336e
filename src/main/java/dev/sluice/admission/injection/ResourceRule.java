package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The amount of one resource for each GPU. */
public record ResourceRule(ResourceName name, Coefficient coefficient, Unit unit) {

    /** The GPU containers share the total of these resources. Of all others, each gets an amount of its own. */
    private static final Set<ResourceName> SHARED =
            Set.of(ResourceName.CPU, ResourceName.MEMORY, new ResourceName("ephemeral-storage"));

    /** The predecessor and the scheduler count shares as thousandths in 64-bit integers. */
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE, 3);

    /** True if the GPU containers share the total that the other containers leave. */
    public boolean isShared() {
        return SHARED.contains(name);
    }

    /**
     * {@code floor(coefficient × gpus)} units, rounded down to whole devices if the resource is not shared. Empty if a
     * quantity cannot hold the amount.
     */
    public Optional<Quantity> amountFor(long gpus) {
        Quantity amount = unit.times(coefficient.times(gpus));
        if (amount.amount().compareTo(LARGEST) > 0) {
            return Optional.empty();
        }
        return Optional.of(
                isShared() || amount.isWhole()
                        ? amount
                        : amount.withAmount(amount.amount().setScale(0, RoundingMode.FLOOR)));
    }

    /** The amount for one GPU, such as {@code 4000m}. */
    public String perGpu() {
        return coefficient + unit.text();
    }

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
}
