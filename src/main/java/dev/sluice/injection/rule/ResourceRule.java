package dev.sluice.injection.rule;

import dev.sluice.quantity.Quantity;
import dev.sluice.quantity.ResourceName;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.Set;

/** How much of one resource belongs to each GPU. */
public record ResourceRule(ResourceName name, Coefficient coefficient, Unit unit) {

    /** What a pod gets as a whole, less what its other containers request. All else goes to each GPU container. */
    private static final Set<ResourceName> SHARED =
            Set.of(ResourceName.CPU, ResourceName.MEMORY, new ResourceName("ephemeral-storage"));

    /** Shares are counted in thousandths by 64-bit integers, by the predecessor and by the scheduler. */
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE, 3);

    /** Shared out among all GPU containers, after the others took what they request. */
    public boolean isShared() {
        return SHARED.contains(name);
    }

    /**
     * {@code floor(coefficient × gpus)} units; of what is counted in whole devices only the whole ones. Empty when that
     * is more than a quantity can say.
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

    /** {@code 4000m for each GPU}, without the last three words. */
    public String perGpu() {
        return coefficient + unit.text();
    }
}
