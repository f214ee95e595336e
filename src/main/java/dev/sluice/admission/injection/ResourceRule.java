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

    /**
     * The resources of which the GPU containers share a total. Of all other resources, each container gets its own
     * amount.
     */
    private static final Set<ResourceName> SHARED =
            Set.of(ResourceName.CPU, ResourceName.MEMORY, new ResourceName("ephemeral-storage"));

    /**
     * The maximum amount. The scheduler and the predecessor of Sluice count shared resources in thousandths as 64-bit
     * integers.
     */
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE, 3);

    /**
     * Returns true if the GPU containers share a total, from which the requests of the other containers are subtracted.
     */
    public boolean isShared() {
        return SHARED.contains(name);
    }

    /**
     * Returns {@code floor(coefficient × gpus)} units. If the resource is not shared, the amount is rounded down to
     * whole devices. It is empty if the amount is larger than a quantity can be.
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

    /** Returns the amount for one GPU, such as {@code 4000m}. */
    public String perGpu() {
        return coefficient + unit.text();
    }

    /**
     * The unit of an amount, which is the suffix of a quantity: {@code m}, {@code Gi}, {@code e3}, or nothing.
     *
     * @param one the quantity of one unit, in the notation of the suffix
     */
    public record Unit(String text, Quantity one) {

        public static final Unit NONE = new Unit("", Quantity.of(1));

        /**
         * The syntax of a unit. Digits after a number would also result in a valid quantity, but they are not a unit.
         */
        private static final Pattern SUFFIX = Pattern.compile("|[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2}");

        /** The units as messages list them. */
        public static final String KNOWN =
                "nothing, n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or an exponent such" + " as e3";

        /** Returns the unit; empty if quantities have no such suffix. */
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
