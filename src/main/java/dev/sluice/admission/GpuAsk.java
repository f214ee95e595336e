package dev.sluice.admission;

import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.PodRequests;
import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a pod asks of GPU resources.
 *
 * @param resources distinct, main containers first, then init containers, alphabetical within a container
 */
record GpuAsk(PodRequest pod, Predicate<ResourceName> isGpu, List<ResourceName> resources) {

    static GpuAsk of(PodRequest pod, Predicate<ResourceName> isGpu) {
        Set<ResourceName> asked = new LinkedHashSet<>();
        for (ContainerRequest container : pod.containers()) {
            asked.addAll(askedBy(container, isGpu));
        }
        return new GpuAsk(pod, isGpu, new ArrayList<>(asked));
    }

    private static Set<ResourceName> askedBy(ContainerRequest container, Predicate<ResourceName> isGpu) {
        Set<ResourceName> asked = new TreeSet<>();
        collect(container.limits(), isGpu, asked);
        collect(container.requests(), isGpu, asked);
        return asked;
    }

    private static void collect(
            @Nullable Map<ResourceName, Quantity> quantities, Predicate<ResourceName> isGpu, Set<ResourceName> asked) {
        if (quantities == null) {
            return;
        }
        quantities.forEach((name, quantity) -> {
            if (!quantity.isZero() && isGpu.test(name)) {
                asked.add(name);
            }
        });
    }

    /** What one node must have if each asked resource is exchanged for what {@code given} says. */
    Amounts need(UnaryOperator<ResourceName> given) {
        PodRequests<Amounts> requests = PodRequests.ofWhole();
        for (ContainerRequest container : pod.containers()) {
            requests.add(container.kind(), amounts(container, resources, given));
        }
        return requests.total(Amounts.NONE, pod.overhead().only(isGpu));
    }

    /** What one node must have of {@code given} if it stands in for {@code asked}, whatever else the pod asks. */
    long needOf(ResourceName asked, ResourceName given) {
        PodRequests<Amounts> requests = PodRequests.ofWhole();
        for (ContainerRequest container : pod.containers()) {
            requests.add(container.kind(), amounts(container, List.of(asked), _ -> given));
        }
        return requests.total(Amounts.NONE, Amounts.NONE).get(given);
    }

    private static Amounts amounts(
            ContainerRequest container, List<ResourceName> asked, UnaryOperator<ResourceName> given) {
        Amounts sum = Amounts.NONE;
        for (ResourceName name : asked) {
            Quantity quantity = container.asked(name);
            if (!quantity.isZero()) {
                sum = sum.plus(Amounts.of(given.apply(name), quantity.value()));
            }
        }
        return sum;
    }

    /** Those that ask any GPU resource. */
    List<ContainerRequest> containersAsking() {
        List<ContainerRequest> asking = new ArrayList<>();
        for (ContainerRequest container : pod.containers()) {
            if (resources.stream().anyMatch(name -> !container.asked(name).isZero())) {
                asking.add(container);
            }
        }
        return asking;
    }

    List<ContainerRequest> containersAsking(ResourceName name) {
        return pod.containers().stream()
                .filter(container -> !container.asked(name).isZero())
                .toList();
    }

    /**
     * False where the API server will refuse the pod whatever is done here: fractions, negative numbers, requests that
     * differ from limits (pkg/apis/core/validation, non-overcommittable resources).
     */
    boolean isLegal() {
        for (ContainerRequest container : pod.containers()) {
            for (ResourceName name : askedBy(container, isGpu)) {
                Quantity limit = container.limit(name);
                Quantity request = container.request(name);
                Quantity asked = container.asked(name);
                boolean differ = limit != null && request != null && !limit.equals(request);
                if (differ || asked.isNegative() || !asked.isWhole()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The asked resources that some container has in its requests only, which the API server would refuse. */
    List<ResourceName> withoutLimit() {
        return resources.stream()
                .filter(name -> !containersWithoutLimit(name).isEmpty())
                .toList();
    }

    List<ContainerRequest> containersWithoutLimit(ResourceName name) {
        return pod.containers().stream()
                .filter(container ->
                        container.limit(name) == null && !container.asked(name).isZero())
                .toList();
    }
}
