package dev.sluice.admission.injection;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The rule for one resource: its amount for each GPU. */
public record InjectionResourceRule(ResourceName name, InjectionCoefficient coefficient, Unit unit) {

    /**
     * The resources for which all GPU containers share a total. For every other resource, each container gets its own
     * amount.
     */
    private static final Set<ResourceName> SHARED =
            Set.of(ResourceName.CPU, ResourceName.MEMORY, new ResourceName("ephemeral-storage"));

    /**
     * The maximum amount. Its thousandths still fit into a 64-bit integer, because kube-scheduler counts cpu in
     * thousandths.
     */
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE, 3);

    /**
     * Returns true if the GPU containers share a total, from which the requests of the other containers are subtracted.
     */
    public boolean isShared() {
        return SHARED.contains(name);
    }

    /**
     * Returns {@code floor(coefficient × gpus)} in the unit of this rule. If the resource is not shared, the amount is
     * also rounded down to whole devices. Returns empty if the amount is too large for a quantity.
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
     * The unit of an amount: {@code m}, {@code Gi}, {@code e3} and other suffixes of quantities, or nothing.
     *
     * @param one the quantity 1 in this unit
     */
    public record Unit(String text, Quantity one) {

        public static final Unit NONE = new Unit("", Quantity.of(1));

        /**
         * The syntax of a unit. Without this check, digits would count as a unit, because {@link #of} parses the unit
         * with a 1 before it.
         */
        private static final Pattern SUFFIX = Pattern.compile("|[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2}");

        /** The list of units for error messages. */
        public static final String KNOWN =
                "nothing, n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or an exponent such" + " as e3";

        /** Returns the unit with this text. Returns empty if it is not a suffix of quantities. */
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
