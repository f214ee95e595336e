package dev.sluice.admission.request;

import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodRequests;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** The limits for extended resources in the LimitRanges of one namespace. */
public record NamespaceLimits(List<NamespaceLimitRangeRule> rules) {

    public static final NamespaceLimits NONE = new NamespaceLimits(List.of());

    public NamespaceLimits {
        rules = List.copyOf(rules);
    }

    /**
     * Returns true if a LimitRange mentions the resource. If a container has no quantity of such a resource,
     * LimitRanger fills in the default of the LimitRange or refuses the pod. An explicit quantity of 0 prevents both.
     */
    public boolean mention(ResourceName resource) {
        for (NamespaceLimitRangeRule rule : rules) {
            if (rule.resource().equals(resource)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns true if LimitRanger will accept the changed pod. Only the rules for the old and the new resources of
     * {@code moves} are checked.
     */
    public boolean allow(PodRequest changed, List<PodRequestReplacement> moves) {
        for (NamespaceLimitRangeRule rule : rules) {
            boolean isMoved = moves.stream()
                    .anyMatch(move ->
                            move.asked().equals(rule.resource()) || move.given().equals(rule.resource()));
            if (isMoved && !allows(rule, changed)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the first rule for which LimitRanger would refuse the pod. Only the rules for {@code kept} are checked.
     *
     * @param kept a resource that Sluice does not replace
     */
    public Optional<NamespaceLimitRangeRule> refusing(PodRequest pod, ResourceName kept) {
        return rules.stream()
                .filter(rule -> rule.resource().equals(kept) && !allows(rule, pod))
                .findFirst();
    }

    private static boolean allows(NamespaceLimitRangeRule rule, PodRequest pod) {
        return switch (rule.scope()) {
            case CONTAINER ->
                pod.containers().stream()
                        .filter(container -> container.limit(rule.resource()) != null)
                        .allMatch(container ->
                                rule.allows(container.asked(rule.resource()).amount()));
            case POD -> rule.allows(BigDecimal.valueOf(ofPod(rule.resource(), pod)));
        };
    }

    private static long ofPod(ResourceName resource, PodRequest pod) {
        PodRequests<Amounts> sum = PodRequests.ofWhole();
        for (ContainerRequest container : pod.containers()) {
            Quantity asked = container.asked(resource);
            PodContainerKind kind = container.kind();
            sum.add(kind, asked.isZero() ? Amounts.NONE : Amounts.of(resource, asked.value()));
        }
        return sum.total(Amounts.NONE, Amounts.NONE).get(resource);
    }
}
