package dev.sluice.admission.request;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A container that requests GPUs.
 *
 * @param index the index in the list of all containers of the pod
 * @param names the GPU resources with an amount above zero in the limits or requests, in alphabetical order
 */
public record GpuContainerRequest(int index, ContainerRequest request, List<ResourceName> names) {

    private static final int LONGEST_QUANTITY = 40;

    static GpuContainerRequest of(int index, ContainerRequest container, Predicate<ResourceName> isGpu) {
        List<ResourceName> names = new ArrayList<>(2);
        for (Map.Entry<ResourceName, Quantity> limit : entries(container.limits())) {
            if (!limit.getValue().isZero() && isGpu.test(limit.getKey())) {
                names.add(limit.getKey());
            }
        }
        for (Map.Entry<ResourceName, Quantity> request : entries(container.requests())) {
            Quantity limit = container.limit(request.getKey());
            boolean seen = limit != null && !limit.isZero();
            if (!seen && !request.getValue().isZero() && isGpu.test(request.getKey())) {
                names.add(request.getKey());
            }
        }
        names.sort(null);
        return new GpuContainerRequest(index, container, names);
    }

    private static Set<Map.Entry<ResourceName, Quantity>> entries(@Nullable Map<ResourceName, Quantity> quantities) {
        return quantities == null ? Set.of() : quantities.entrySet();
    }

    boolean requests(ResourceName name) {
        return !request.asked(name).isZero();
    }

    public boolean requestsAny() {
        for (ResourceName name : names) {
            if (requests(name)) {
                return true;
            }
        }
        return false;
    }

    public boolean requestsWithoutLimit(ResourceName name) {
        return request.limit(name) == null && requests(name);
    }

    /**
     * Returns true if the quantity of this GPU resource is valid. It must be a whole number and not negative. If there
     * are both a request and a limit, they must be equal.
     */
    boolean isLegal(ResourceName name) {
        Quantity asked = request.asked(name);
        return !differs(name) && !asked.isNegative() && asked.isWhole();
    }

    private boolean differs(ResourceName name) {
        Quantity limit = request.limit(name);
        Quantity requested = request.request(name);
        return limit != null && requested != null && !limit.equals(requested);
    }

    /**
     * Returns the reason why the quantity of this GPU resource is invalid. The text begins with the word "container"
     * and the name of the container.
     */
    String whyIllegal(ResourceName name) {
        String subject = "container " + request.name() + ": " + name;
        if (differs(name)) {
            return subject + " is " + shown(request.request(name)) + " in requests and " + shown(request.limit(name))
                    + " in limits; both must be equal";
        }
        Quantity asked = request.asked(name);
        return subject + " is " + shown(asked)
                + (asked.isNegative() ? "; it must not be negative" : "; it must be a whole number");
    }

    private static String shown(@Nullable Quantity quantity) {
        String text = quantity == null ? "" : quantity.text();
        return text.length() <= LONGEST_QUANTITY ? text : text.substring(0, LONGEST_QUANTITY) + "...";
    }

    /**
     * Returns the amounts of GPU resources that the container requests after the replacement.
     *
     * @param given a function that returns the replacement of a resource, or the resource itself
     */
    Amounts amounts(UnaryOperator<ResourceName> given) {
        Amounts sum = Amounts.NONE;
        for (ResourceName name : names) {
            sum = sum.plus(amount(name, given.apply(name)));
        }
        return sum;
    }

    /**
     * Returns the amount of {@code name} that the container requests. The key of the result is {@code given}, the
     * resource that replaces {@code name}.
     */
    Amounts amount(ResourceName name, ResourceName given) {
        Quantity quantity = request.asked(name);
        return quantity.isZero() ? Amounts.NONE : Amounts.of(given, quantity.value());
    }
}
