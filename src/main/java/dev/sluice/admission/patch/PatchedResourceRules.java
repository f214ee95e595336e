package dev.sluice.admission.patch;

import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the resources of one container by the rules of Kubernetes ({@code ValidateContainerResourceRequirements} in
 * pkg/apis/core/validation). It checks only rules that a patch of the gateway could break.
 */
final class PatchedResourceRules {

    private static final String HUGE_PAGES = "hugepages-";

    private final String container;
    private final PatchedMap<ResourceName, Quantity> limits;
    private final PatchedMap<ResourceName, Quantity> requests;
    private boolean hasHugePages;
    private @Nullable String broken;

    PatchedResourceRules(
            String container, PatchedMap<ResourceName, Quantity> limits, PatchedMap<ResourceName, Quantity> requests) {
        this.container = container;
        this.limits = limits;
        this.requests = requests;
    }

    /** Returns the rule that the container breaks. Returns empty if the container breaks no rule. */
    Optional<String> broken() {
        limits.forEach(this::holdLimit);
        requests.forEach(this::holdRequest);
        if (hasHugePages && !hasBase()) {
            breaks("hugepages need cpu or memory in addition");
        }
        return Optional.ofNullable(broken).map(rule -> rule + " in container " + container);
    }

    private void holdLimit(ResourceName name, Quantity limit) {
        holdNegative(name, limit);
        if (isHugePages(name)) {
            hasHugePages = true;
            if (!isWholePages(name, limit)) {
                breaks(name + " is " + limit + ", no number of such pages,");
            }
        } else if (name.isExtended() && !limit.isWhole()) {
            breaks(name + " is " + limit + ", not a whole number,");
        }
    }

    private void holdNegative(ResourceName name, Quantity quantity) {
        if (quantity.isNegative()) {
            breaks(name + " is " + quantity + ", less than nothing,");
        }
    }

    private void holdRequest(ResourceName name, Quantity request) {
        holdNegative(name, request);
        Quantity limit = limits.get(name);
        int order = limit == null ? 0 : request.compareTo(limit);
        if (limit == null && isCounted(name)) {
            breaks("the request of " + name + " has no limit");
        } else if (order != 0 && isCounted(name)) {
            breaks("requests and limits of " + name + " differ");
        } else if (order > 0) {
            breaks("the request of " + name + " is above its limit");
        }
    }

    /**
     * Records a broken rule. The first one in alphabetical order is kept, so that the result does not depend on the
     * order of the maps.
     */
    private void breaks(String rule) {
        broken = broken == null || rule.compareTo(broken) < 0 ? rule : broken;
    }

    private boolean hasBase() {
        return has(ResourceName.CPU) || has(ResourceName.MEMORY);
    }

    private boolean has(ResourceName name) {
        return limits.get(name) != null || requests.get(name) != null;
    }

    private static boolean isWholePages(ResourceName name, Quantity quantity) {
        Optional<Quantity> page = Quantity.parse(name.value().substring(HUGE_PAGES.length()));
        return page.isPresent()
                && page.get().compareTo(Quantity.ZERO) > 0
                && BigDecimal.valueOf(quantity.value())
                                .remainder(page.get().amount())
                                .signum()
                        == 0;
    }

    private static boolean isHugePages(ResourceName name) {
        return name.value().startsWith(HUGE_PAGES);
    }

    /** Returns true if the resource is counted in whole units and cannot be overcommitted. */
    private static boolean isCounted(ResourceName name) {
        return name.isExtended() || isHugePages(name);
    }
}
