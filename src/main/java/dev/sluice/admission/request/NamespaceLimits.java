package dev.sluice.admission.request;

import dev.sluice.cluster.ContainerKind;
import dev.sluice.cluster.PodRequests;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.List;

/** What the LimitRanges of one namespace say of extended resources. */
public record NamespaceLimits(List<LimitRangeRule> rules) {

    public static final NamespaceLimits NONE = new NamespaceLimits(List.of());

    public NamespaceLimits {
        rules = List.copyOf(rules);
    }

    /**
     * A LimitRange speaks of the resource. LimitRanger fills in its default, or misses a limit, where a container has
     * no such key; a key of quantity 0 keeps it quiet.
     */
    public boolean mention(ResourceName resource) {
        for (LimitRangeRule rule : rules) {
            if (rule.resource().equals(resource)) {
                return true;
            }
        }
        return false;
    }

    /** LimitRanger will not refuse the changed pod for a resource that these moves take away or give. */
    public boolean allow(PodRequest changed, List<Move> moves) {
        for (LimitRangeRule rule : rules) {
            boolean isMoved = moves.stream()
                    .anyMatch(move ->
                            move.asked().equals(rule.resource()) || move.given().equals(rule.resource()));
            if (isMoved && !allows(rule, changed)) {
                return false;
            }
        }
        return true;
    }

    private static boolean allows(LimitRangeRule rule, PodRequest pod) {
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
            ContainerKind kind = container.kind();
            sum.add(kind, asked.isZero() ? Amounts.NONE : Amounts.of(resource, asked.value()));
        }
        return sum.total(Amounts.NONE, Amounts.NONE).get(resource);
    }
}
