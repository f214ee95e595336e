package dev.sluice.config;

import dev.sluice.admission.injection.ResourceRule;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.List;

/**
 * What the API server requires of huge pages ({@code validateResourceRequirements} in pkg/apis/core/validation): whole
 * pages, a request equal to the limit, and cpu or memory in the same container. Injection sets request and limit alike.
 */
final class HugePages {

    private static final String PREFIX = "hugepages-";

    private HugePages() {}

    /** {@code 2Mi} of {@code hugepages-2Mi}. */
    static String pageSize(ResourceName name) {
        return name.value().substring(PREFIX.length());
    }

    static boolean areInjected(ResourceRule rule) {
        return rule.name().value().startsWith(PREFIX);
    }

    /**
     * True if any number of GPUs gets whole pages. After a coefficient with a fraction is rounded, any number of units
     * may be left, so that each unit must be whole pages.
     */
    static boolean areWhole(ResourceRule rule) {
        BigDecimal page =
                Quantity.parse(pageSize(rule.name())).orElse(Quantity.ZERO).amount();
        BigDecimal unit = rule.unit().one().amount();
        BigDecimal coefficient = rule.coefficient().value();
        return isMultiple(unit, page) || (coefficient.scale() <= 0 && isMultiple(coefficient.multiply(unit), page));
    }

    private static boolean isMultiple(BigDecimal amount, BigDecimal page) {
        return page.signum() > 0 && amount.remainder(page).signum() == 0;
    }

    /** True for huge pages without cpu or memory, with which the API server refuses the container. */
    static boolean standAlone(List<ResourceRule> rules) {
        return rules.stream().anyMatch(HugePages::areInjected)
                && rules.stream()
                        .map(ResourceRule::name)
                        .noneMatch(name -> name.equals(ResourceName.CPU) || name.equals(ResourceName.MEMORY));
    }
}
