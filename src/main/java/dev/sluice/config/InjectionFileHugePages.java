package dev.sluice.config;

import dev.sluice.admission.injection.InjectionResourceRule;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.List;

/**
 * Checks the API server's rules for huge pages ({@code validateResourceRequirements} in pkg/apis/core/validation). An
 * amount must be a multiple of the page size, and the container must also have cpu or memory. The request must equal
 * the limit, which injection always ensures.
 */
final class InjectionFileHugePages {

    private static final String PREFIX = "hugepages-";

    private InjectionFileHugePages() {}

    /** Returns the page size in the name of the resource, such as {@code 2Mi} for {@code hugepages-2Mi}. */
    static String pageSize(ResourceName name) {
        return name.value().substring(PREFIX.length());
    }

    static boolean areInjected(InjectionResourceRule rule) {
        return rule.name().value().startsWith(PREFIX);
    }

    /**
     * Returns true if the rule gives a multiple of the page size for any number of GPUs. A rule with a fractional
     * coefficient can give any whole number of units, so its unit must be a multiple of the page size.
     */
    static boolean areWhole(InjectionResourceRule rule) {
        BigDecimal page =
                Quantity.parse(pageSize(rule.name())).orElse(Quantity.ZERO).amount();
        BigDecimal unit = rule.unit().one().amount();
        BigDecimal coefficient = rule.coefficient().value();
        return isMultiple(unit, page) || (coefficient.scale() <= 0 && isMultiple(coefficient.multiply(unit), page));
    }

    private static boolean isMultiple(BigDecimal amount, BigDecimal page) {
        return page.signum() > 0 && amount.remainder(page).signum() == 0;
    }

    /**
     * Returns true if the rules give huge pages and neither cpu nor memory. The API server would reject such a
     * container.
     */
    static boolean standAlone(List<InjectionResourceRule> rules) {
        return rules.stream().anyMatch(InjectionFileHugePages::areInjected)
                && rules.stream()
                        .map(InjectionResourceRule::name)
                        .noneMatch(name -> name.equals(ResourceName.CPU) || name.equals(ResourceName.MEMORY));
    }
}
