package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The limits for one resource in one item of a LimitRange. The admission plugin LimitRanger fills in the defaults
 * before the webhooks run, and checks the limits after them ({@code plugin/pkg/admission/limitranger/admission.go}).
 *
 * @param scope the object to which the limits apply: each container, or the pod as a whole
 * @param min the minimum amount; null if the item sets no minimum
 * @param max the maximum amount; null if the item sets no maximum
 * @param ratio the value of {@code maxLimitRequestRatio}; null if the item does not set it
 * @param limit the default limit of a container; null if the item sets none
 * @param request the default request of a container; null if the item sets none
 */
public record NamespaceLimitRangeRule(
        LimitScope scope,
        ResourceName resource,
        @Nullable Quantity min,
        @Nullable Quantity max,
        @Nullable Quantity ratio,
        @Nullable Quantity limit,
        @Nullable Quantity request) {

    /** The object that LimitRanger checks: each container, or the sum over the pod. */
    public enum LimitScope {
        CONTAINER,
        POD
    }

    /**
     * Returns true if LimitRanger accepts this quantity of a device. Request and limit of a device are always equal, so
     * their ratio is 1.
     */
    boolean allows(BigDecimal quantity) {
        return (min == null || quantity.compareTo(min.amount()) >= 0)
                && (max == null || quantity.compareTo(max.amount()) <= 0)
                && (ratio == null || (quantity.signum() > 0 && ratio.amount().compareTo(BigDecimal.ONE) >= 0));
    }
}
