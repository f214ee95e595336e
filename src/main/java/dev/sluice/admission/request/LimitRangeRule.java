package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What one item of a LimitRange says of one resource. LimitRanger judges each container, or the pod as a whole, by it
 * once all webhooks have been called ({@code plugin/pkg/admission/limitranger/admission.go}).
 *
 * @param min null without one; so are {@code max} and {@code ratio}, which is {@code maxLimitRequestRatio}
 */
public record LimitRangeRule(
        LimitScope scope,
        ResourceName resource,
        @Nullable Quantity min,
        @Nullable Quantity max,
        @Nullable Quantity ratio) {

    /** What LimitRanger measures. */
    public enum LimitScope {
        CONTAINER,
        POD
    }

    /** True where LimitRanger lets a container or pod have this; request and limit of a device are the same. */
    boolean allows(BigDecimal quantity) {
        return (min == null || quantity.compareTo(min.amount()) >= 0)
                && (max == null || quantity.compareTo(max.amount()) <= 0)
                && (ratio == null || (quantity.signum() > 0 && ratio.amount().compareTo(BigDecimal.ONE) >= 0));
    }
}
