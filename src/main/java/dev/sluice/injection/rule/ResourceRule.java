package dev.sluice.injection.rule;

import dev.sluice.quantity.Quantity;
import dev.sluice.quantity.ResourceName;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.Set;

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
}
